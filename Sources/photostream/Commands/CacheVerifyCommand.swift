import ArgumentParser
import PhotoStreamService

/// `photostream cache verify`.
struct CacheVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compute everything that is stored from scratch, and compare.",
        discussion: """
            Differences go to standard error, and the exit code is 1 where there are any; photostream cache clear \
            mends them.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        let answer = try service.verifyDerived()
        try service.close()
        try common.json ? printJSON(answer) : printSentence(answer)
        try StandardOutput.flush()
        for difference in answer.differences { StandardError.write(sentence: difference) }
        guard answer.differences.isEmpty else { throw ExitCode.failure }
    }

    private func printSentence(_ answer: VerificationAnswer) throws {
        let found = answer.differences.isEmpty ? "all is well" : answer.differences.count.counting("difference")
        let outdated = answer.outdatedCount == 0 ? "" : ", \(answer.outdatedCount.grouped) outdated"
        try StandardOutput.write(
            line: "compared \(answer.chunkCount.counting("chunk")) of metrics, "
                + "\(answer.placementCount.counting("checkpoint")) and "
                + "\(answer.framesCount.counting("chunk")) of frames\(outdated): \(found)")
    }

    private func printJSON(_ answer: VerificationAnswer) throws {
        try StandardOutput.write(json: { writer in
            writer.object { writer in
                writer.member("chunks", answer.chunkCount)
                writer.member("checkpoints", answer.placementCount)
                writer.member("frames", answer.framesCount)
                writer.member("outdated", answer.outdatedCount)
                writer.key("differences")
                writer.array(answer.differences) { $0.value($1) }
            }
        })
    }
}
