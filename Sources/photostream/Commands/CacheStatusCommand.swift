import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache status`.
struct CacheStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the layouts that were asked for, and what is stored of them.",
        discussion: """
            A layout is kept, that is stored, once it was asked for again two seconds or more after the first time: the \
            widths that a window passes while it is dragged leave no more than their names. One whose checkpoints alone take \
            more than the budget is not kept. "checkpoints" and "frames" \
            count chunks of about 1,000 photos; frames are stored when they were served. "hits" counts questions that \
            were answered from what was there, "folded" the chunks that were computed. Hits and times of use are \
            written about once a minute.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        let status = try service.cacheStatus()
        try service.close()
        guard !common.json else { return try StandardOutput.write(json: { $0.value(status) }) }
        var table = TextTable([
            TextTable.Column(title: "stream"), TextTable.Column(title: "kept"), .number("checkpoints"),
            .number("frames"), .number("bytes"), .number("hits"), .number("folded"),
            TextTable.Column(title: "last used"), TextTable.Column(title: "layout key", maximumWidth: 400),
        ])
        let rows = status.layouts.map { layout in
            [
                layout.stream.rawValue, layout.isKept ? "yes" : "no", layout.chunkCount.grouped,
                layout.framesCount.grouped, Int(layout.byteCount).grouped, layout.hitCount.grouped,
                layout.foldedChunkCount.grouped, Moment.text(layout.lastUsedMilliseconds), layout.layoutKey,
            ]
        }
        // A key that is cut is of no use, so lines may be longer than the window.
        try StandardOutput.write(table.text(rows, cutsLastColumn: false).utf8)
        try StandardOutput.write(
            line: "\n\(Int(status.byteCount).grouped) of \(Int(status.budget).grouped) bytes")
    }
}
