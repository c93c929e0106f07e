import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache verify`.
struct CacheVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compute everything that is stored from scratch, and compare.",
        discussion: """
            In addition the file itself is checked: triggers, indexes and tables that are missing or were changed, \
            SQLite's own structures, the checksums of stored rows, photos of no stream, and rows that belong to nothing. \
            Chunks that are left over from work that goes on or was broken off are no differences.

            Differences go to standard error, and the exit code is 1 where there are any. photostream cache clear mends \
            those of stored layouts and chunks, of triggers and of indexes; the others say what helps.

            Standard error also tells where another program's open read keeps the write-ahead log from being emptied.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        let answer = try service.verifyDerived()
        let logWarning = try service.emptyLongLog()
        try service.close()
        try common.json ? StandardOutput.write(json: { $0.value(answer) }) : printSentence(answer)
        try StandardOutput.flush()
        if let logWarning { StandardError.write(sentence: logWarning) }
        for difference in answer.differences { StandardError.write(sentence: difference) }
        guard answer.differences.isEmpty else { throw ExitCode.failure }
    }

    private func printSentence(_ answer: VerificationAnswer) throws {
        let found = answer.differences.isEmpty ? "all is well" : answer.differences.count.counting("difference")
        let outdated = answer.outdatedCount == 0 ? "" : ", \(answer.outdatedCount.grouped) outdated"
        let leftover = answer.leftoverCount == 0 ? "" : ", \(answer.leftoverCount.counting("chunk")) left over"
        try StandardOutput.write(
            line: "compared \(answer.chunkCount.counting("chunk")) of metrics, "
                + "\(answer.placementCount.counting("checkpoint")) and "
                + "\(answer.framesCount.counting("chunk")) of frames\(outdated)\(leftover): \(found)")
    }
}
