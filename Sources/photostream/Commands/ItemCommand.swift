import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// `photostream item`: one photo of a layout.
struct ItemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item",
        abstract: "Show one photo of a layout, by its index or its id.",
        discussion: """
            EXAMPLES:
              photostream item --stream holiday --width 1200 --index 5000
              photostream item --stream holiday --width 1200 --photo IMG_0042 --json
            """)

    @OptionGroup var stream: StreamOption

    @Option(parsing: .unconditional, help: ArgumentHelp("The position in stream order, from 0.", valueName: "i"))
    var index: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The photo's id.", valueName: "id"), transform: PhotoID.init(_:))
    var photo: PhotoID?

    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (index == nil) != (photo == nil) else { throw ValidationError("give either --index or --photo") }
        if let index, index < 0 { throw ValidationError("--index is \(index), but counts from 0") }
        _ = try layout.requiredKey()
    }

    func run() async throws {
        let key = try layout.requiredKey()
        try common.query { service in
            let answer =
                if let photo {
                    try service.locate(photo, in: stream.name, key)
                } else {
                    try service.item(at: index ?? 0, of: stream.name, key)
                }
            guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
            try StandardOutput.write(fields(of: answer).text.utf8)
        }
    }

    private func fields(of answer: ItemAnswer) -> FieldList {
        let (attributes, scale) = (answer.item.attributes, answer.context.layoutKey.displayScale)
        let frame = attributes.frame
        var fields = FieldList()
        fields.add("index", String(attributes.index))
        fields.add("frame", [frame.x, frame.y, frame.width, frame.height].map(scale.pointsText).joined(separator: " "))
        fields.add("caption extent", scale.pointsText(attributes.captionExtent))
        answer.item.photo.add(to: &fields)
        answer.context.add(to: &fields)
        return fields
    }
}
