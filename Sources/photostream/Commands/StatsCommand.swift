import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream stats`: shows statistics of streams.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show statistics of one or all streams: dates, captions, shapes, chunks, bytes.",
        discussion: """
            Every photo is read. A panorama is at least twice as wide as high, a tower at least twice as high as \
            wide.

            EXAMPLES:
              photostream stats
              photostream stats --stream holiday --json
            """)

    @Option(help: ArgumentHelp("The stream. (default: all)", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        let answer = try service.read { session in try session.stats(of: stream) }
        try service.close()
        guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
        for stream in answer.streams { try StandardOutput.write((stream.fields.text + "\n").utf8) }
        var fields = FieldList()
        let perPhoto = answer.bytesPerPhoto.map { ", \(Int($0.rounded()).grouped) a photo" } ?? ""
        fields.add("file", value: "\(Int(answer.fileByteCount).grouped) bytes" + perPhoto)
        try StandardOutput.write(fields.text.utf8)
    }
}

extension StreamStats {
    fileprivate var fields: FieldList {
        var fields = FieldList()
        fields.add("stream", value: name.rawValue)
        fields.add("photos", value: count.grouped)
        let span = dates.map { ", \($0.first.digits ?? "") to \($0.last.digits ?? "")" } ?? ""
        fields.add("dated", value: datedCount.grouped + span)
        fields.add("undated", value: (count - datedCount).grouped)
        fields.add("with caption", value: captionedCount.grouped)
        fields.add("with position", value: positionedCount.grouped)
        fields.add(
            "sizes",
            value:
                "\(sources[.measured, default: 0].grouped) measured, \(sources[.ratio, default: 0].grouped) only a ratio, "
                + "\(sources[.assumed, default: 0].grouped) assumed")
        fields.add("by hand", value: "\(editedCount.grouped) edited, \(movedCount.grouped) moved")
        fields.add(
            "shapes",
            value:
                "\(landscapeCount.grouped) landscape, \(portraitCount.grouped) portrait, \(squareCount.grouped) square")
        if let widest, let tallest {
            fields.add("panoramas", value: "\(panoramaCount.grouped), the widest of all \(widest.shape)")
            fields.add("towers", value: "\(towerCount.grouped), the tallest of all \(tallest.shape)")
        }
        fields.add(
            "chunks",
            value:
                chunks.count == 0
                ? "none stored yet"
                : "\(chunks.count.grouped) of \(chunks.least.grouped) to \(chunks.greatest.grouped) photos, "
                    + "\(chunks.mean.grouped) on average")
        fields.add("log", value: logRowCount.counting("row"))
        fields.add(
            "layouts",
            value: layoutCount == 0 ? "none stored" : "\(layoutCount.grouped), \(layoutByteCount.grouped) bytes")
        return fields
    }
}

extension PixelSize {
    /// The size and its ratio, such as `6000 × 120 (50 : 1)`.
    fileprivate var shape: String {
        let (long, short) = (Double(max(width, height)), Double(min(width, height)))
        let tenths = Int((long / short * 10).rounded())
        let ratio = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(width) × \(height) (\(width >= height ? "\(ratio) : 1" : "1 : \(ratio)"))"
    }
}
