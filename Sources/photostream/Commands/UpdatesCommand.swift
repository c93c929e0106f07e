import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream updates`: what a layout on the screen has to show of the changes since a revision.
struct UpdatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "updates",
        abstract: "Show what appears, disappears and moves in a rectangle of a layout since a revision.",
        discussion: """
            The rectangle is what was on the screen, in the content as it was at that revision; the answer names the \
            content offset at which the first photo that was visible stands still. Frames before are in the content as \
            it was, frames after in the content as it is. Where nobody can tell what has changed, the exit code is 3, \
            as with `changes`.

            EXAMPLES:
              photostream updates --stream holiday --since 140 --width 1200 --rect 0,4000,1200,900
              photostream updates --stream holiday --since 140 --width 1200 --rect 0,4000,1200,900 --json
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var since: SinceOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What was on the screen, in points of the content as it was.", valueName: "x,y,width,height"),
        transform: Rect.init(text:))
    var rect: Rect

    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let key = try layout.requiredKey()
        do {
            _ = try key.displayScale.pixels(covering: rect)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        let key = try layout.requiredKey()
        var reload: ReloadAnswer?
        try common.query { session in
            try session.updates(of: stream.name, key, since: since.revision, in: rect)
        } show: { answer in
            if case .reload(let answer) = answer { reload = answer }
            guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
            if case .changes(let updates) = answer { try printTable(updates) }
        }
        try reload?.exit()
    }

    private func printTable(_ answer: UpdatesAnswer) throws {
        let scale = answer.context.layoutKey.displayScale
        var table = TextTable([
            TextTable.Column(title: "update"), TextTable.Column(title: "element"), TextTable.Column(title: "photo"),
            TextTable.Column(title: "was at"), TextTable.Column(title: "is at", maximumWidth: 400),
        ])
        let named = [
            ("appears", answer.insertions), ("disappears", answer.deletions), ("moves", answer.moves),
            ("is redrawn", answer.reloads),
        ]
        let rows = named.flatMap { name, updates in
            updates.map { update in
                let element = update.element
                return [
                    name, (element.new ?? element.old)?.elementKind.name ?? "", update.photo?.rawValue ?? "",
                    scale.text(element.old?.frame), scale.text(element.new?.frame),
                ]
            }
        }
        if !rows.isEmpty { try StandardOutput.write((table.text(rows) + "\n").utf8) }
        var fields = FieldList()
        fields.add("since", answer.since.description)
        fields.add("updates", rows.isEmpty ? "none" : rows.count.grouped)
        fields.add("stands still", answer.anchor?.rawValue)
        fields.add("content offset", scale.pointsText(answer.contentOffset))
        fields.add(
            "old size",
            "\(scale.pointsText(answer.oldContentSize.width)) × \(scale.pointsText(answer.oldContentSize.height)) points"
        )
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }
}

extension DisplayScale {
    /// A frame in points, such as `0 44 234 156`.
    fileprivate func text(_ frame: PixelRect?) -> String {
        guard let frame else { return "" }
        return [frame.x, frame.y, frame.width, frame.height].map(pointsText).joined(separator: " ")
    }
}
