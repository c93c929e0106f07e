import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream changes`: the net changes of a stream's photos since a revision.
struct ChangesCommand: StreamCommand {
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
              photostream changes --stream holiday --since 140.k3f9 --where 'beach rating:>=4'
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var since: SinceOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show a page of at most this many changes, 1 to \(PhotoStreamService.maximumChangeCount).", valueName: "n"))
    var limit: Int?

    @OptionGroup var view: ViewOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let maximum = PhotoStreamService.maximumChangeCount
        if let limit, !(1...maximum).contains(limit) {
            throw ValidationError(StreamServiceError.invalidLimit(limit, maximum: maximum).description)
        }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let condition = try view.condition()
        let answer = try service.read { session in
            guard let limit else {
                return try session.changes(of: stream.name, where: condition, since: since.revision)
            }
            return try session.changes(of: stream.name, where: condition, since: since.revision, limit: limit)
        }
        var report = Report { $0.value(answer) }
        switch answer {
        case .changes(let changes): add(changes, to: &report)
        case .reload(let reload): report.refuse(because: reload)
        }
        return report
    }

    private func add(_ answer: ChangesAnswer, to report: inout Report) {
        if !answer.changes.isEmpty {
            report.add(
                table: ["change", "photo", "taken", .wide("caption")],
                rows: answer.changes.map { change in
                    [
                        change.kind == .moved && change.isUpdated ? "moved, updated" : change.kind.rawValue,
                        change.id.rawValue, change.photo?.takenAt?.description ?? "", change.photo?.caption ?? "",
                    ]
                })
        }
        report.add([
            "stream": answer.stream.rawValue, "where": answer.condition?.canonicalText, "since": answer.since.state,
            "revision": answer.revision.description,
            "state": answer.revision.state, "changes": answer.changes.isEmpty ? "none" : answer.changes.count.grouped,
            "more": answer.isComplete ? nil : "--since \(answer.revision.state)",
        ])
    }
}

/// `photostream updates`: shows the updates that a visible layout needs since a revision.
struct UpdatesCommand: StreamCommand {
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

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let key = try layout.requiredKey()
        _ = try asUsageError { try key.displayScale.pixels(covering: rect) }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let (key, condition) = (try layout.requiredKey(), try view.condition())
        let answer = try service.read { session in
            try session.layout(key, of: stream.name, where: condition)
                .updates(since: since.revision, in: rect, keeping: keep)
        }
        var report = Report { $0.value(answer) }
        switch answer {
        case .changes(let updates): add(updates, to: &report)
        case .reload(let reload): report.refuse(because: reload)
        }
        return report
    }

    private func add(_ answer: UpdatesAnswer, to report: inout Report) {
        let scale = answer.context.layoutKey.displayScale
        let named = [
            ("appears", answer.insertions), ("disappears", answer.deletions), ("moves", answer.moves),
            ("is redrawn", answer.reloads),
        ]
        let rows = named.flatMap { name, updates in
            updates.map { update in
                let element = update.element
                return [
                    name, (element.new ?? element.old)?.elementKind.name ?? "", update.photo?.rawValue ?? "",
                    element.old.map { scale.text($0.frame) } ?? "", element.new.map { scale.text($0.frame) } ?? "",
                ]
            }
        }
        if !rows.isEmpty {
            report.add(table: ["update", "element", "photo", "was at", .wide("is at")], rows: rows)
        }
        let fields: FieldList = [
            "since": answer.since.state, "updates": rows.isEmpty ? "none" : rows.count.grouped,
            "stands still": answer.anchor?.rawValue, "content offset": scale.pointsText(answer.contentOffset),
            "old size": scale.text(answer.oldContentSize),
        ]
        report.add(fields + answer.context.fields)
    }
}

extension Report {
    /// Makes the exit code 3: the changes are unavailable, which is neither an answer nor a failure.
    fileprivate mutating func refuse(because reload: ReloadAnswer) {
        warnings = [reload.description]
        code = ExitCode(3)
    }
}
