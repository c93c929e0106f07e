import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService

/// The route that imports photos.
enum PhotoImporting {
    static let post = Route(
        method: .post, path: PhotoRoutes.path, operation: "importPhotos",
        summary: """
            Import JSON Lines, one photo per line, as the command does: each record is inserted, updated, unchanged, \
            duplicate or rejected. A rejected record does not affect the others.
            """,
        body: .init(types: [MediaTypes.jsonLines, MediaTypes.ndjson], schema: "PhotoRecords"),
        answers: [.init(schema: "ImportReport")],
        problems: [.invalidName, .unknownStream, .invalidBody, .tooManyImports, .readOnly, .busy], work: .importing,
        beforeBody: { _ = try stream(of: $0) }, handling: .suspending(answer))

    private static func answer(_ call: inout APICall) async throws -> APIResponse {
        // Once more: it may have been deleted while the body arrived.
        let stream = try stream(of: call)
        guard case .file(let file) = call.body else { throw Problem(.invalidBody, detail: "the body is missing") }
        var report = ImportReporting()
        let totals: ImportTotals
        do {
            let reader = try RecordReader(paths: [file.path], options: ImportOptions(format: .jsonl), label: "body")
            totals = try await PhotoImport(reader, into: stream, of: call.service).run(sources: ["HTTP"]) {
                try Task.checkCancellation()
                report.add($0)
            }
        } catch let error as ImportError {
            throw Problem(.invalidBody, detail: error.description)
        }
        call.times.end("service")
        return APIResponse(contentType: MediaTypes.json, body: report.document(totals))
    }

    /// The existing stream of the path; unlike the command, a misspelt address creates no stream.
    private static func stream(of call: APICall) throws -> StreamName {
        let stream = try call.stream
        _ = try call.service.state(of: stream)
        return stream
    }
}

/// The report of an import: the counts of all records, and the first rejects and warnings.
private struct ImportReporting {
    /// The number of rejects that are listed.
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
