import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream item`: shows one photo of a layout.
struct ItemCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "item",
        abstract: "Show one photo of a layout by index, id or position.",
        discussion: """
            With --photo the answer includes a cursor: `photostream page --cursor` shows the page that the photo \
            is on and continues from there. With --at the answer includes the place that a photo dropped at the point would get, and the \
            photos of the section before and after it, for `photos move`.

            EXAMPLES:
              photostream item --stream holiday --width 1200 --index 5000
              photostream item --stream holiday --width 1200 --photo IMG_0042 --json
              photostream item --stream holiday --width 1200 --at 640,4210.5
              photostream item --stream holiday --width 1200 --at 640,4210.5 --nearest
            """)

    @OptionGroup var stream: StreamOption

    @Option(parsing: .unconditional, help: ArgumentHelp("The position in stream order, from 0.", valueName: "i"))
    var index: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The photo's id.", valueName: "id"), transform: PhotoID.init(_:))
    var photo: PhotoID?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A point in content coordinates, inside the content or not.", valueName: "x,y"),
        transform: Point.init(text:))
    var at: Point?

    @Flag(help: "With --at: show the nearest photo if none is at the point.")
    var nearest = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            With --photo: the limit of the pages, 1 to 1000. \
            (default: \(PhotoStreamService.defaultLimit))
            """,
            valueName: "n"))
    var limit: Int?

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [index != nil, photo != nil, at != nil].count(where: \.self) == 1 else {
            throw ValidationError("use one of --index, --photo and --at")
        }
        if let index, index < 0 { throw ValidationError("--index is \(index); it must not be negative") }
        if let limit {
            guard photo != nil else { throw ValidationError("--limit requires --photo") }
            try LimitOption.check(limit)
        }
        guard at != nil || !nearest else { throw ValidationError("--nearest requires --at") }
        let key = try layout.requiredKey()
        guard let at else { return }
        do {
            _ = try key.displayScale.pixel(holding: at)
        } catch {
            throw ValidationError("--at is \(at.x),\(at.y): \(error)")
        }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let (key, condition) = (try layout.requiredKey(), try view.condition())
        if let at {
            let answer = try service.read { session in
                try session.layout(key, of: stream.name, where: condition).at(at, orNearest: nearest)
            }
            let insertion = answer.insertion
            let photo: FieldList = ["photo": "none at this point"]
            return report(
                (answer.item.map { fields(of: $0, key) } ?? photo) + [
                    "would go to": "\(insertion.indexPath.text), index \(insertion.index)",
                    "before": insertion.next?.rawValue, "after": insertion.previous?.rawValue,
                ], of: answer.context
            ) { $0.value(answer) }
        }
        if let photo {
            let limit = limit ?? PhotoStreamService.defaultLimit
            let answer = try service.read { session in
                try session.layout(key, of: stream.name, where: condition).locate(photo, limit: limit)
            }
            return report(fields(of: answer.item, key) + ["cursor": answer.cursor], of: answer.context) {
                $0.value(answer)
            }
        }
        let answer = try service.read { session in
            try session.layout(key, of: stream.name, where: condition).item(at: index ?? 0)
        }
        return report(fields(of: answer.item, key), of: answer.context) { $0.value(answer) }
    }

    private func report(
        _ fields: FieldList, of context: LayoutContext, json: @escaping (inout JSONWriter) -> Void
    ) -> Report {
        var report = Report(json: json)
        report.add(fields + context.fields)
        return report
    }

    private func fields(of item: PlacedPhoto, _ key: LayoutKey) -> FieldList {
        let (attributes, scale) = (item.attributes, key.displayScale)
        let place: FieldList = [
            "index": String(attributes.index), "index path": attributes.indexPath.text,
            "frame": scale.text(attributes.frame), "caption extent": scale.pointsText(attributes.captionExtent),
            "hidden": attributes.isHidden ? "yes, the layout hides it" : nil,
        ]
        return place + item.photo.fields
    }
}

extension IndexPath {
    /// Section and item for display.
    var text: String { "section \(section), item \(item)" }
}
