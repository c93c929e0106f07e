import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream item`: shows one photo of a layout.
struct ItemCommand: AsyncParsableCommand {
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

    func run() async throws {
        let key = try layout.requiredKey()
        if let at {
            try common.query { session in
                try session.item(at: at, orNearest: nearest, of: stream.name, key)
            } show: {
                try print($0)
            }
        } else if let photo {
            let limit = limit ?? PhotoStreamService.defaultLimit
            try common.query { session in
                try session.locate(photo, in: stream.name, layout: key, limit: limit)
            } show: {
                try print($0)
            }
        } else {
            let index = index ?? 0
            try common.query { session in
                try session.item(at: index, of: stream.name, key)
            } show: {
                try print($0)
            }
        }
    }

    private func print(_ answer: ItemAnswer) throws {
        guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
        var fields = FieldList()
        fields.add(answer.item, scale: answer.context.layoutKey.displayScale)
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }

    private func print(_ answer: LocateAnswer) throws {
        guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
        var fields = FieldList()
        fields.add(answer.item, scale: answer.context.layoutKey.displayScale)
        fields.add("cursor", value: answer.cursor)
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }

    private func print(_ answer: PointAnswer) throws {
        guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
        var fields = FieldList()
        if let item = answer.item {
            fields.add(item, scale: answer.context.layoutKey.displayScale)
        } else {
            fields.add("photo", value: "none at this point")
        }
        let insertion = answer.insertion
        fields.add("would go to", value: "\(insertion.indexPath.text), index \(insertion.index)")
        fields.add("before", value: insertion.next?.rawValue)
        fields.add("after", value: insertion.previous?.rawValue)
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }
}

extension FieldList {
    /// Adds a placed photo.
    fileprivate mutating func add(_ item: PlacedPhoto, scale: DisplayScale) {
        let (attributes, frame) = (item.attributes, item.attributes.frame)
        add("index", value: String(attributes.index))
        add("index path", value: attributes.indexPath.text)
        add("frame", value: [frame.x, frame.y, frame.width, frame.height].map(scale.pointsText).joined(separator: " "))
        add("caption extent", value: scale.pointsText(attributes.captionExtent))
        add("hidden", value: attributes.isHidden ? "yes, the layout hides it" : nil)
        item.photo.add(to: &self)
    }
}

extension IndexPath {
    /// Section and item for display.
    var text: String { "section \(section), item \(item)" }
}
