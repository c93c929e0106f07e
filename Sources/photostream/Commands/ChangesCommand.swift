import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream changes`: what became of a stream's photos since a revision.
struct ChangesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List the photos that were inserted, deleted, updated or moved since a revision.",
        discussion: """
            Each photo is listed once, however often it changed, in stream order. The next question asks since the \
            revision that the answer names. Where nobody can tell what has changed (the log keeps the last 100,000 \
            changes; an answer holds at most 10,000 photos), the exit code is 3: read the stream anew.

            EXAMPLES:
              photostream changes --stream holiday --since 140
              photostream changes --stream holiday --since 140 --json
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var since: SinceOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var reload: ReloadAnswer?
        try common.query { session in
            try session.changes(of: stream.name, since: since.revision)
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
        fields.add("stream", answer.stream.rawValue)
        fields.add("since", answer.since.description)
        fields.add("revision", answer.revision.description)
        fields.add("changes", answer.changes.isEmpty ? "none" : answer.changes.count.grouped)
        try StandardOutput.write(fields.text.utf8)
    }
}
