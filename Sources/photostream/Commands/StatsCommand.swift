import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream stats`: shows statistics of streams.
struct StatsCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show statistics of one or all streams: dates, captions, shapes, chunks, bytes.",
        discussion: """
            Every photo is read. A panorama is at least twice as wide as high, a tower at least twice as high as \
            wide.

            EXAMPLES:
              photostream stats
              photostream stats --stream holiday --json
              photostream stats --stream holiday --where taken:2019
            """)

    @Option(help: ArgumentHelp("The stream. (default: all)", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @OptionGroup var view: ViewOption
    @OptionGroup var common: CommonOptions

    var use: FileUse { .read }

    func report(of service: PhotoStreamService) throws -> Report {
        let condition = try view.condition()
        let answer = try service.read { session in try session.stats(of: stream, where: condition) }
        var report = Report { $0.value(answer) }
        for stream in answer.streams { report.add(stream.fields) }
        let perPhoto = answer.bytesPerPhoto.map { ", \(Int($0.rounded()).grouped) a photo" } ?? ""
        report.add(["file": "\(answer.fileByteCount.grouped) bytes" + perPhoto])
        return report
    }
}

extension StreamStats {
    fileprivate var fields: FieldList {
        let span = dates.map { ", \($0.first.digits ?? "") to \($0.last.digits ?? "")" } ?? ""
        return [
            "stream": name.rawValue, "photos": count.grouped, "dated": datedCount.grouped + span,
            "undated": (count - datedCount).grouped, "with caption": captionedCount.grouped,
            "with position": positionedCount.grouped,
            "sizes":
                "\(sources[.measured, default: 0].grouped) measured, \(sources[.ratio, default: 0].grouped) only a "
                + "ratio, \(sources[.assumed, default: 0].grouped) assumed",
            "by hand": "\(editedCount.grouped) edited, \(movedCount.grouped) moved",
            "shapes": "\(landscapeCount.grouped) landscape, \(portraitCount.grouped) portrait, "
                + "\(squareCount.grouped) square",
            "panoramas": widest.map { "\(panoramaCount.grouped), the widest of all \($0.shape)" },
            "towers": tallest.map { "\(towerCount.grouped), the tallest of all \($0.shape)" },
            "chunks": chunks.count == 0
                ? "none stored yet"
                : "\(chunks.count.grouped) of \(chunks.least.grouped) to \(chunks.greatest.grouped) photos, "
                    + "\(chunks.mean.grouped) on average",
            "log": logRowCount.counting("row"),
            "layouts": layoutCount == 0 ? "none stored" : "\(layoutCount.grouped), \(layoutByteCount.grouped) bytes",
        ]
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
