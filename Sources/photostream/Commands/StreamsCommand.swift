import ArgumentParser
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream streams`: manages the streams of a file.
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "List, create, copy, edit, rename or delete streams and kept views.",
        discussion: """
            EXAMPLES:
              photostream streams
              photostream streams create holiday
              photostream streams create best --source holiday --where 'rating:>=4'
              photostream streams copy holiday album --order manual
              photostream streams rename holiday "holiday 2026"
              photostream streams delete "holiday 2026" --yes
            """,
        subcommands: [
            StreamsListCommand.self, StreamsCreateCommand.self, StreamsCopyCommand.self, StreamsEditCommand.self,
            StreamsRenameCommand.self, StreamsDeleteCommand.self,
        ],
        defaultSubcommand: StreamsListCommand.self)
}

struct StreamsListCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the streams and kept views, their photos and their imports.",
        discussion: """
            With --json each stream has its latest import with the first rejected records; with --imports, every \
            recorded import, up to 20.
            """)

    @Flag(help: "With --json, list every recorded import.")
    var imports = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard common.json || !imports else { throw ValidationError("--imports requires --json") }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let streams = try service.read { session in try session.streams(withAllImports: imports) }
        var report = Report { $0.value(StreamList(streams)) }
        report.add(
            table: ["stream", "order", .number("photos"), .number("revision"), "created", .wide("last import")],
            rows: streams.map { stream in
                [
                    stream.name.rawValue, stream.order.rawValue, stream.count.grouped, stream.revision.description,
                    Moment.text(stream.createdAtMilliseconds), stream.imports.first?.line ?? stream.definition,
                ]
            })
        return report
    }
}

extension StreamSummary {
    /// The source and the rule of a kept view; empty for a stream.
    fileprivate var definition: String {
        guard let source, let rule else { return "" }
        return "photos of \(source): \(rule)"
    }
}

extension ImportSummary {
    fileprivate var line: String {
        let outcomes = counts.outcomes
        let outcome = finishedAtMilliseconds == nil ? "not finished" : outcomes.isEmpty ? "nothing read" : outcomes
        return Moment.text(startedAtMilliseconds) + "  " + outcome
    }
}

struct StreamsCreateCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an empty stream, and the database file if it does not exist; or a kept view of a stream.",
        discussion: """
            The order never changes. newest and oldest sort by capture time, undated photos last; manual is the order of \
            import, changed by moves only. Photos with equal times keep the order of import, in every order.

            With --source and --where, a kept view: a name for the photos of a stream that meet a condition at any time. It is \
            used like a stream, but takes no photos of its own.

            EXAMPLES:
              photostream streams create holiday
              photostream streams create "slide show" --order manual
              photostream streams create recent --source holiday --where taken:last-30d
            """)

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @Option(help: "The order of its photos, which never changes. (default: newest)")
    var order: StreamOrder?

    @Option(help: ArgumentHelp("The stream that a kept view shows.", valueName: "name"), transform: StreamName.init(_:))
    var source: StreamName?

    @OptionGroup var rule: RuleOptions

    @OptionGroup var common: CommonOptions

    var use: FileUse { source == nil ? .create : .change }

    func validate() throws {
        guard source != nil else {
            guard rule.isEmpty else { throw ValidationError("--where and --description require --source") }
            return
        }
        guard order == nil else {
            throw ValidationError("--source excludes --order: a kept view has that of its stream")
        }
        guard rule.text != nil else { throw ValidationError("--source requires --where") }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        if let source, let rule = try rule.condition() {
            try service.createView(name, of: source, where: rule, description: self.rule.description ?? "")
            return Report(
                ["stream": name.rawValue, "source": source.rawValue, "where": rule.canonicalText],
                line: "created kept view \"\(name)\" of stream \"\(source)\"")
        }
        let order = order ?? .newest
        try service.createStream(name, order: order)
        return Report(
            ["stream": name.rawValue, "order": order.rawValue], line: "created stream \"\(name)\", \(order.words)")
    }
}

struct StreamsCopyCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the photos of a stream into a new stream, in any order.",
        discussion: """
            The photos are exported in stream order and imported into the new stream, so a copy in manual order starts \
            with the stream's order. A copy in the same order also keeps the moves; in another one a moved photo returns \
            to its own time. Fields edited by a person stay so in every copy. The copy is a snapshot, made through a \
            temporary file.

            EXAMPLES:
              photostream streams copy holiday "holiday from the start" --order oldest
              photostream streams copy holiday album --order manual
            """)

    @Argument(help: "The stream.", transform: StreamName.init(_:))
    var name: StreamName

    @Argument(help: "The name of the new stream, which must not be taken.", transform: StreamName.init(_:))
    var newName: StreamName

    @Option(help: "The order of the new stream, which never changes.")
    var order: StreamOrder

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) async throws -> Report {
        let count = try await copy(service).inserted
        return Report(
            ["stream": newName.rawValue, "order": order.rawValue, "count": count],
            line: "copied \(count.counting("photo")) to stream \"\(newName)\", \(order.words)")
    }

    private func copy(_ service: PhotoStreamService) async throws -> ImportTotals {
        let file = try OutputFile.temporary()
        defer { file.discard() }
        let count = try service.export(name) { try file.write($0) }
        try file.flush()
        // Created first, so that an existing stream with that name is never written to.
        try service.createStream(newName, order: order)
        guard count > 0 else { return ImportTotals() }
        do {
            return try await load(file.temporaryPath, into: service)
        } catch {
            // An incomplete copy is deleted.
            _ = try? service.deleteStream(newName, evenWithPhotos: true)
            throw error
        }
    }

    private func load(_ path: String, into service: PhotoStreamService) async throws -> ImportTotals {
        let reader = try RecordReader(paths: [path], options: ImportOptions(format: .jsonl))
        var observer = ImportObserver(totalBytes: reader.totalBytes, report: nil)
        return try await PhotoImport(
            reader, into: newName, order: order, sources: ["stream \(name)"], of: service
        ).run { try observer.observe($0) }
    }
}

struct StreamsRenameCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a stream or a kept view; photos, layouts and cursors stay valid.")

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @Argument(help: "Its new name.", transform: StreamName.init(_:))
    var newName: StreamName

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        try service.renameStream(name, to: newName)
        return Report(["stream": newName.rawValue], line: "renamed stream \"\(name)\" to \"\(newName)\"")
    }
}

struct StreamsDeleteCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a kept view, or a stream with its photos and all derived data.",
        discussion: """
            A stream that contains photos is only deleted with --yes; otherwise the exit code is 1. One that a kept view \
            shows is not deleted.

            Photos are deleted in batches, so that other writers do not wait long, and the stream last; after an \
            interruption the same command finishes the job.
            """)

    @Argument(help: "The stream's name.", transform: StreamName.init(_:))
    var name: StreamName

    @Flag(help: "Delete the stream even if it contains photos.")
    var yes = false

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        do {
            let count = try service.deleteStream(name, evenWithPhotos: yes)
            return Report(
                ["stream": name.rawValue, "deleted": count],
                line: "deleted stream \"\(name)\" with \(count.counting("photo"))")
        } catch StreamServiceError.streamNotEmpty(let name, let count) {
            throw CommandError(
                "stream \"\(name)\" contains \(count.counting("photo")); use --yes to delete them as well")
        }
    }
}
