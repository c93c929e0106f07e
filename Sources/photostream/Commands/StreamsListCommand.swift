import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream streams list`.
struct StreamsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the streams, their photos and their imports.",
        discussion: """
            With --json each stream has its newest import and the records that it rejected first; with --imports, every \
            import that the file remembers, which are the last 20.
            """)

    @Flag(help: "With --json, list every import that the file remembers.")
    var imports = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard common.json || !imports else { throw ValidationError("--imports is given without --json") }
    }

    func run() async throws {
        try common.query { session in
            try session.streams(withAllImports: imports)
        } show: { streams in
            guard !common.json else {
                return try StandardOutput.write(json: { $0.value(StreamList(streams)) })
            }
            var table = TextTable([
                TextTable.Column(title: "stream"), TextTable.Column(title: "order"), .number("photos"),
                .number("revision"),
                TextTable.Column(title: "created"), TextTable.Column(title: "last import", maximumWidth: 400),
            ])
            try StandardOutput.write(
                table.text(
                    streams.map { stream in
                        [
                            stream.name.rawValue, stream.order.rawValue, stream.count.grouped,
                            stream.revision.description,
                            Moment.text(stream.createdAtMilliseconds), stream.imports.first?.line ?? "",
                        ]
                    }
                ).utf8)
        }
    }
}

extension ImportSummary {
    /// When it was and what came of it.
    fileprivate var line: String {
        let outcomes = [
            (counts.inserted, "inserted"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
            (counts.duplicate, "duplicate"), (counts.rejected, "rejected"),
        ]
        let named = outcomes.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
        let outcome = finishedAtMilliseconds == nil ? "not finished" : named.isEmpty ? "nothing read" : named
        return Moment.text(startedAtMilliseconds) + "  " + outcome
    }
}
