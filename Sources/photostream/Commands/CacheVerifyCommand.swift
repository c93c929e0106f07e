import ArgumentParser
import PhotoStreamService

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
        try common.json ? printJSON(answer) : printSentence(answer)
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

    private func printJSON(_ answer: VerificationAnswer) throws {
        try StandardOutput.write(json: { writer in
            writer.object { writer in
                writer.member("chunks", answer.chunkCount)
                writer.member("checkpoints", answer.placementCount)
                writer.member("frames", answer.framesCount)
                writer.member("outdated", answer.outdatedCount)
                writer.member("leftover", answer.leftoverCount)
                writer.key("differences")
                writer.array(answer.differences) { $0.value($1) }
            }
        })
    }
}
