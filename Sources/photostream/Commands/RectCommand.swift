import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream rect`: shows the elements in a rectangle.
struct RectCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rect",
        abstract:
            "Show the elements of a layout that intersect a rectangle: photos and, with sections, headers and the like.",
        discussion: """
            Headers, footers, badges, section backgrounds and separators are listed in a second table. If more photos \
            intersect the rectangle than the limit allows, the first are shown, with a cursor that continues with the same \
            rectangle. Pinned headers and footers are placed as if the rectangle were the visible bounds.

            EXAMPLES:
              photostream rect --stream holiday --width 1200 --rect 0,4000,1200,900
              photostream rect --stream holiday --width 1200 --rect 0,4000,1200,900 --section-by month --header-size 40
              photostream rect --stream holiday --cursor BAEAAAAAAAAA… --json
            """)

    @OptionGroup var stream: StreamOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The rectangle, in content coordinates (points).", valueName: "x,y,width,height"),
        transform: Rect.init(text:))
    var rect: Rect?

    @OptionGroup var limit: LimitOption

    @Option(help: ArgumentHelp("The cursor of a truncated answer.", valueName: "cursor"))
    var cursor: String?

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard cursor == nil else {
            guard rect == nil else { throw ValidationError("the cursor contains the rectangle; omit --rect") }
            return
        }
        guard let rect else { throw ValidationError("--rect or --cursor is missing") }
        let key = try layout.requiredKey()
        _ = try asUsageError { try key.displayScale.pixels(covering: rect) }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        guard let start = rect.map(RectStart.first) ?? cursor.map(RectStart.after) else {
            throw ValidationError("--rect or --cursor is missing")
        }
        let (key, condition) = (try layout.key(), try view.condition())
        let answer = try service.read { session in
            try session.layout(key, of: stream.name, where: condition, after: cursor).rect(start, limit: limit.count)
        }
        let scale = answer.context.layoutKey.displayScale
        var report = Report { $0.value(answer) }
        let counts = answer.clusters.map { [$0.count.grouped] }
        report.add(
            table: (counts.isEmpty ? [] : [.number("photos")]) + PlacedPhoto.columns,
            rows: zip(counts.isEmpty ? answer.items.map { _ in [] } : counts, answer.items).map { counts, item in
                counts + item.row(scale)
            })
        if !answer.elements.isEmpty {
            report.add(table: LayoutAttributes.columns, rows: answer.elements.map { $0.row(scale) })
        }
        report.add(answer.context.fields + ["more": answer.nextCursor.map { "--cursor " + $0 }])
        return report
    }
}
