import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService

/// Photos come in bulk.
enum PhotoImporting {
    static let post = Route(
        method: .post, path: PhotoRoutes.path, operation: "importPhotos",
        summary: """
            Import JSON Lines, a photo a line, as the command does: each record ends as inserted, updated, unchanged, \
            duplicate or rejected. A record that is rejected keeps no other out.
            """,
        body: .init(types: [MediaTypes.jsonLines, MediaTypes.ndjson], schema: "PhotoRecords"),
        answers: [.init(schema: "ImportReport")],
        problems: [.invalidName, .unknownStream, .invalidBody, .tooManyImports, .readOnly, .busy], work: .importing,
        beforeBody: { _ = try stream(of: $0) }, handling: .suspending(answer))

    private static func answer(_ call: inout APICall) async throws -> APIResponse {
        // Looked for once more: it may have gone while the body came.
        let stream = try stream(of: call)
        guard case .file(let file) = call.body else { throw Problem(.invalidBody, "the body is missing") }
        var report = ImportReporting()
        let totals: ImportTotals
        do {
            let reader = try RecordReader(paths: [file.path], options: ImportOptions(format: .jsonl), label: "body")
            totals = try await PhotoImport(reader, into: stream, sources: ["HTTP"], of: call.service).run {
                try Task.checkCancellation()
                report.add($0)
            }
        } catch let error as ImportError {
            throw Problem(.invalidBody, error.description)
        }
        call.times.end("service")
        return APIResponse(contentType: MediaTypes.json, body: report.document(totals))
    }

    /// The stream of the path; unlike the command, an address does not make the one that it misspells.
    private static func stream(of call: APICall) throws -> StreamName {
        let stream = try call.stream
        _ = try call.read { session in try session.state(of: stream) }
        return stream
    }
}

/// The account of an import: the counts of all, and the first rejects and warnings.
private struct ImportReporting {
    /// How many rejects are told one by one.
    private static let limit = 1_000

    private var rejects: [ImportReject] = []
    private var warnings: [ImportWarning] = []

    mutating func add(_ progress: ImportProgress) {
        rejects += progress.rejects.prefix(Self.limit - rejects.count)
        warnings += progress.warnings
    }

    func document(_ totals: ImportTotals) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.object { writer in
                writer.members(of: totals)
                writer.key("rejects")
                writer.array(rejects) { writer, reject in
                    writer.object { writer in
                        writer.place(reject.position)
                        writer.key("id")
                        if let id = reject.id { writer.value(id) } else { writer.null() }
                        writer.key("reason")
                        writer.value(reject.reason)
                    }
                }
                writer.key("warnings")
                writer.array(warnings) { writer, warning in
                    writer.object { writer in
                        writer.place(warning.position)
                        writer.key("field")
                        writer.value(warning.field.rawValue)
                        writer.key("reason")
                        writer.value(warning.reason)
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func place(_ position: ImportPosition) {
        key("line")
        value(position.line)
        key("column")
        value(position.column)
    }
}
