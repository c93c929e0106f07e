import ArgumentParser
import PhotoStreamModel
import PhotoStreamService

/// `photostream cache status`.
struct CacheStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the stored layouts.",
        discussion: """
            "folded" counts how many chunks were computed for a layout since it was first stored; a question that is \
            answered from what is stored does not raise it.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        let layouts = try service.storedLayouts()
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.key("layouts")
                    writer.array(layouts) { $0.value($1) }
                }
            })
        }
        var table = TextTable([
            TextTable.Column(title: "stream"), .number("chunks"), .number("bytes"), .number("folded"),
            TextTable.Column(title: "last used"), TextTable.Column(title: "layout key", maximumWidth: 400),
        ])
        let rows = layouts.map { layout in
            [
                layout.stream.rawValue, layout.chunkCount.grouped, layout.byteCount.grouped,
                layout.foldedChunkCount.grouped, Moment.text(layout.lastUsedMilliseconds), layout.layoutKey,
            ]
        }
        // A key that is cut is of no use, so lines may be longer than the window.
        try StandardOutput.write(table.text(rows, cutsLastColumn: false).utf8)
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ layout: StoredLayoutSummary) {
        object { writer in
            writer.member("stream", layout.stream.rawValue)
            writer.member("layoutKey", layout.layoutKey)
            writer.member("chunks", layout.chunkCount)
            writer.member("bytes", layout.byteCount)
            writer.member("foldedChunks", layout.foldedChunkCount)
            writer.member("lastUsed", Moment.text(layout.lastUsedMilliseconds))
        }
    }
}
