import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache warm`.
struct CacheWarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Compute a layout and store it, so that the first question finds it ready.",
        discussion: """
            The layout is kept from now on. Without layout options every layout that is kept of the stream is brought \
            up to date.
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        // An unknown stream is an error even if there is nothing to do.
        _ = try service.read { session in try session.stream(stream.name) }
        let keys = try layout.key().map { [$0] } ?? storedKeys(of: service)
        var progress = ProgressLine()
        var answers: [LayoutAnswer] = []
        for key in keys {
            let title = "layout \(answers.count + 1) of \(keys.count)"
            answers.append(
                try service.warm(stream.name, key) { part in
                    progress.update { ProgressLine.Parts(share: part, texts: ["\(Int(part * 100)) %", title]) }
                })
        }
        progress.clear()
        let foldedCount = service.work.foldedChunkCount
        try service.close()
        try common.json ? printJSON(answers, foldedCount) : printSentence(answers, foldedCount)
    }

    /// The layouts that the file has; those of another engine can neither be asked for nor computed.
    private func storedKeys(of service: PhotoStreamService) throws -> [LayoutKey] {
        let layouts = try service.cacheStatus().layouts.filter { $0.isKept && $0.stream == stream.name }
        return layouts.compactMap { try? LayoutKey(parsing: $0.layoutKey) }
    }

    private func printSentence(_ answers: [LayoutAnswer], _ foldedCount: Int) throws {
        for answer in answers {
            let key = answer.context.layoutKey
            let remark = PhotoStreamService.stores(key) ? "" : " (computed at every question: nothing of it is stored)"
            try StandardOutput.write(line: key.description + remark)
        }
        try StandardOutput.write(
            line: "warmed \(answers.count.counting("layout")): \(foldedCount.counting("chunk")) computed")
    }

    private func printJSON(_ answers: [LayoutAnswer], _ foldedCount: Int) throws {
        try StandardOutput.write(json: { writer in
            writer.object { writer in
                writer.member("foldedChunks", value: foldedCount)
                writer.key("layouts")
                writer.array(answers) { $0.value($1) }
            }
        })
    }
}
