import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream item`: one photo of a layout.
struct ItemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item",
        abstract: "Show one photo of a layout, by its index, its id, or a point that it lies at.",
        discussion: """
            With --photo the answer has a cursor, too: `photostream page --cursor` with it shows the page that the photo \
            is on, and goes on from there. With --at the answer also names the place that a photo would get that is dragged to the point, and the \
            photos of its section before and after that place, as `photos move` takes them.

            EXAMPLES:
              photostream item --stream holiday --width 1200 --index 5000
              photostream item --stream holiday --width 1200 --photo IMG_0042 --json
              photostream item --stream holiday --width 1200 --at 640,4210.5
            """)

    @OptionGroup var stream: StreamOption

    @Option(parsing: .unconditional, help: ArgumentHelp("The position in stream order, from 0.", valueName: "i"))
    var index: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The photo's id.", valueName: "id"), transform: PhotoID.init(_:))
    var photo: PhotoID?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A place in points of the content, inside it or not.", valueName: "x,y"),
        transform: Point.init(text:))
    var at: Point?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            With --photo: the limit that pages are asked for with, 1 to 1000. \
            (default: \(PhotoStreamService.defaultLimit))
            """,
            valueName: "n"))
    var limit: Int?

    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [index != nil, photo != nil, at != nil].count(where: \.self) == 1 else {
            throw ValidationError("give one of --index, --photo and --at")
        }
        if let index, index < 0 { throw ValidationError("--index is \(index), but counts from 0") }
        if let limit {
            guard photo != nil else { throw ValidationError("--limit means nothing without --photo") }
            try LimitOption.check(limit)
        }
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
                try session.item(at: at, of: stream.name, key)
            } show: {
                try print($0)
            }
        } else if let photo {
            let limit = limit ?? PhotoStreamService.defaultLimit
            try common.query { session in
                try session.locate(photo, in: stream.name, key, limit: limit)
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
        fields.add(answer.item, answer.context.layoutKey.displayScale)
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }

    private func print(_ answer: LocateAnswer) throws {
        guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
        var fields = FieldList()
        fields.add(answer.item, answer.context.layoutKey.displayScale)
        fields.add("cursor", answer.cursor)
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }

    private func print(_ answer: PointAnswer) throws {
        guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
        var fields = FieldList()
        if let item = answer.item {
            fields.add(item, answer.context.layoutKey.displayScale)
        } else {
            fields.add("photo", "none at this point")
        }
        let insertion = answer.insertion
        fields.add("would go to", "\(insertion.indexPath.text), index \(insertion.index)")
        fields.add("before", insertion.next?.rawValue)
        fields.add("behind", insertion.previous?.rawValue)
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }
}

extension FieldList {
    /// A photo where a layout puts it.
    fileprivate mutating func add(_ item: PlacedPhoto, _ scale: DisplayScale) {
        let (attributes, frame) = (item.attributes, item.attributes.frame)
        add("index", String(attributes.index))
        add("index path", attributes.indexPath.text)
        add("frame", [frame.x, frame.y, frame.width, frame.height].map(scale.pointsText).joined(separator: " "))
        add("caption extent", scale.pointsText(attributes.captionExtent))
        add("hidden", attributes.isHidden ? "yes, the layout leaves it out" : nil)
        item.photo.add(to: &self)
    }
}

extension IndexPath {
    /// Section and item, as a table shows them.
    var text: String { "section \(section), item \(item)" }
}
