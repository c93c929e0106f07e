import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

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
        var report = ImportReport()
        do {
            let reader = try RecordReader(paths: [file.path], options: ImportOptions(format: .jsonl), label: "body")
            report.totals = try await PhotoImport(reader, into: stream, sources: ["HTTP"], of: call.service).run {
                try Task.checkCancellation()
                report.add($0)
            }
        } catch let error as ImportError {
            throw Problem(.invalidBody, error.description)
        }
        call.times.end("service")
        return APIResponse(contentType: MediaTypes.json, body: JSONWriter.bytes { $0.value(report) })
    }

    /// The stream of the path; unlike the command, an address does not make the one that it misspells.
    private static func stream(of call: APICall) throws -> StreamName {
        let stream = try call.stream
        _ = try call.read { session in try session.state(of: stream) }
        return stream
    }
}

/// The report of an import: the counts of all records, and the first rejects and warnings.
struct ImportReport: WireObject {
    /// The most rejects that are listed.
    private static let limit = 1_000

    fileprivate(set) var totals = ImportTotals()
    private var rejects: [ImportReject] = []
    private var warnings: [ImportWarning] = []

    mutating func add(_ progress: ImportProgress) {
        rejects += progress.rejects.prefix(Self.limit - rejects.count)
        warnings += progress.warnings
    }

    static let shape = Shape<ImportReport>(
        "ImportReport",
        ImportTotals.shape.members(of: \ImportReport.totals) + [
            .always("rejects", about: "The first records that were not kept.") { $0.rejects },
            .always("warnings", about: "Fields that were left out of records that were kept.") { $0.warnings },
        ])
}

extension ImportReject: WireObject {
    static let shape = Shape<ImportReject>(
        nil,
        [
            .always("line", about: "The line, from 1.") { $0.position.line },
            .always("column", about: "The character in the line, from 1.") { $0.position.column },
            .nullable("id", about: "The record's id, where it has one.") { $0.id },
            .always("reason", about: "Why it was not kept.") { $0.reason },
        ])
}

extension ImportWarning: WireObject {
    static let shape = Shape<ImportWarning>(
        nil,
        [
            .always("line", about: "The line, from 1.") { $0.position.line },
            .always("column", about: "The character in the line, from 1.") { $0.position.column },
            .always("field", about: "The field that was left out.") { $0.field.rawValue },
            .always("reason", about: "Why it was left out.") { $0.reason },
        ])
}
