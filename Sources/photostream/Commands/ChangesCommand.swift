import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream changes`: the net changes of a stream's photos since a revision.
struct ChangesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List the photos that were inserted, deleted, updated or moved since a revision.",
        discussion: """
            Each photo is listed once, however often it changed, in stream order. Pass the state in the answer to the \
            next query. If the changes are unavailable (the log keeps the last 100,000 \
            changes; an answer contains at most 10,000 photos), the exit code is 3: read the stream again. With --limit \
            the changes come in pages, however many they are; continue with --since as the page says.

            EXAMPLES:
              photostream changes --stream holiday --since 140.k3f9
              photostream changes --stream holiday --since 140.k3f9 --json
              photostream changes --stream holiday --since 140.k3f9 --limit 1000
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var since: SinceOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show a page of at most this many changes, 1 to \(PhotoStreamService.maximumChangeCount).", valueName: "n"))
    var limit: Int?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let maximum = PhotoStreamService.maximumChangeCount
        if let limit, !(1...maximum).contains(limit) {
            throw ValidationError(StreamServiceError.invalidLimit(limit, maximum: maximum).description)
        }
    }

    func run() async throws {
        var reload: ReloadAnswer?
        try common.query { session in
            guard let limit else { return try session.changes(of: stream.name, since: since.revision) }
            return try session.changes(of: stream.name, since: since.revision, limit: limit)
        } show: { answer in
            if case .reload(let answer) = answer { reload = answer }
            guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
            if case .changes(let changes) = answer { try printTable(changes) }
        }
        try reload?.exit()
    }

    private func printTable(_ answer: ChangesAnswer) throws {
        var table = TextTable([
            TextTable.Column(title: "change"), TextTable.Column(title: "photo"), TextTable.Column(title: "taken"),
            TextTable.Column(title: "caption", maximumWidth: 400),
        ])
        if !answer.changes.isEmpty {
            let rows = answer.changes.map { change in
                [
                    change.kind == .moved && change.isUpdated ? "moved, updated" : change.kind.rawValue,
                    change.id.rawValue, change.photo?.takenAt?.description ?? "", change.photo?.caption ?? "",
                ]
            }
            try StandardOutput.write((table.text(rows) + "\n").utf8)
        }
        var fields = FieldList()
        fields.add("stream", value: answer.stream.rawValue)
        fields.add("since", value: answer.since.state)
        fields.add("revision", value: answer.revision.description)
        fields.add("state", value: answer.revision.state)
        fields.add("changes", value: answer.changes.isEmpty ? "none" : answer.changes.count.grouped)
        fields.add("more", value: answer.isComplete ? nil : "--since \(answer.revision.state)")
        try StandardOutput.write(fields.text.utf8)
    }
}

/// `photostream updates`: shows the updates that a visible layout needs since a revision.
struct UpdatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "updates",
        abstract: "Show what appears, disappears and moves in a rectangle of a layout since a revision.",
        discussion: """
            The rectangle is the visible part of the content at that revision; the answer includes the \
            content offset at which the first visible photo does not move on screen, or, with --keep offset, the old \
            offset, clamped to the content, at which photos that were added above appear. Old frames are in the old \
            content, new frames in the current one. If the changes are unavailable, the exit code is 3, \
            as with `changes`.

            EXAMPLES:
              photostream updates --stream holiday --since 140.k3f9 --width 1200 --rect 0,4000,1200,900
              photostream updates --stream holiday --since 140.k3f9 --width 1200 --rect 0,4000,1200,900 --json
              photostream updates --stream holiday --since 140.k3f9 --width 1200 --rect 0,0,1200,900 --keep offset
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var since: SinceOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The old visible rectangle, in content coordinates (points).", valueName: "x,y,width,height"),
        transform: Rect.init(text:))
    var rect: Rect

    @Option(help: "The part of the scroll position that is kept.")
    var keep = ScrollKeeping.item

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
            try session.updates(of: stream.name, key, since: since.revision, in: rect, keeping: keep)
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
        fields.add("since", value: answer.since.state)
        fields.add("updates", value: rows.isEmpty ? "none" : rows.count.grouped)
        fields.add("stands still", value: answer.anchor?.rawValue)
        fields.add("content offset", value: scale.pointsText(answer.contentOffset))
        fields.add(
            "old size",
            value:
                "\(scale.pointsText(answer.oldContentSize.width)) × \(scale.pointsText(answer.oldContentSize.height)) points"
        )
        answer.context.add(to: &fields)
        try StandardOutput.write(fields.text.utf8)
    }
}

extension DisplayScale {
    /// Formats a frame in points, such as `0 44 234 156`.
    fileprivate func text(_ frame: PixelRect?) -> String {
        guard let frame else { return "" }
        return [frame.x, frame.y, frame.width, frame.height].map(pointsText).joined(separator: " ")
    }
}
