import HTTPTypes
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The route that imports photos.
enum PhotoImporting {
    static let post = Route(
        method: .post, path: PhotoRoutes.path, operation: "importPhotos", access: .write,
        summary: """
            Import JSON Lines, one photo per line, a JSON array, or CSV with a header row, as the command does: each record \
            is inserted, updated, unchanged, duplicate or rejected. A rejected record does not affect the others.
            """,
        parameters: [
            RouteParameter(
                "restore", as: .flag,
                summary: """
                    Restore photos that a person deleted in the last 30 days; otherwise their records change nothing.
                    """)
        ],
        body: .init(
            types: [MediaTypes.jsonLines, MediaTypes.ndjson, MediaTypes.json, MediaTypes.csv], schema: "PhotoRecords"),
        answers: [.init(schema: "ImportReport")],
        problems: [
            .invalidName, .invalidParameter, .unknownStream, .invalidBody, .tooManyImports, .keptView, .readOnly, .busy,
            .primaryUnavailable,
        ],
        work: .importing,
        bodyFile: { call in
            _ = try stream(of: call)
            return try SpooledBody()
        }, handle: answer)

    private static func answer(_ call: inout APICall) async throws -> APIResponse {
        // Check again: the stream may have been deleted while the body arrived.
        let stream = try stream(of: call)
        let restores = try call.query.flag("restore") ?? false
        guard case .file(let file as SpooledBody) = call.body else {
            throw Problem(.invalidBody, detail: "the body is missing")
        }
        var report = ImportReport()
        do {
            let options = try ImportOptions(format: format(of: call))
            let reader = try RecordReader(paths: [file.path], options: options, label: "body")
            var run = PhotoImport(reader, into: stream, sources: ["HTTP"], of: call.service)
            run.restoresDeletedPhotos = restores
            // Several clients may import concurrently, here and on other servers.
            run.replacesInterruptedRuns = false
            report.totals = try await run.run {
                try Task.checkCancellation()
                report.add($0)
            }
        } catch let error as ImportError {
            throw Problem(.invalidBody, detail: error.description)
        }
        call.times.end("service")
        return APIResponse(contentType: MediaTypes.json, body: JSONWriter.bytes { $0.value(report) })
    }

    /// Returns the format of the body, by its media type.
    private static func format(of call: APICall) -> ImportFormat {
        switch call.headers[.contentType].map(MediaTypes.essence) {
        case MediaTypes.json: .json
        case MediaTypes.csv: .csv
        default: .jsonl
        }
    }

    /// Returns the stream of the path, which must exist: unlike the command, a misspelt address creates no stream.
    private static func stream(of call: APICall) throws -> StreamName {
        let stream = try call.stream
        try call.service.requireStream(stream)
        return stream
    }
}

/// The report of an import: the counts of all records, and the first rejects and warnings.
struct ImportReport: WireObject {
    /// The maximum number of rejects that are listed.
    private static let limit = 1_000

    fileprivate(set) var totals = ImportTotals()
    private var rejects: [ImportReject] = []
    private var warnings: [ImportWarning] = []
    private var ignoredMoveCount = 0
    private var deletedCount = 0

    mutating func add(_ progress: ImportProgress) {
        (ignoredMoveCount, deletedCount) = (progress.ignoredMoveCount, progress.deletedCount)
        rejects += progress.rejects.prefix(Self.limit - rejects.count)
        warnings += progress.warnings
    }

    static let schemaName: String? = "ImportReport"

    static func describe(_ members: inout some MemberList<ImportReport>) {
        members.include { $0.totals }
        members.always("rejects", about: "The first records that were not kept.") { $0.rejects }
        members.always("warnings", about: "Fields that were left out of records that were kept.") { $0.warnings }
        members.always(
            "ignoredMoves", about: "Moves of photos that were left out, because the stream has another order."
        ) { $0.ignoredMoveCount }
        members.always("deleted", about: "Records of photos that a person deleted; they count as unchanged.") {
            $0.deletedCount
        }
    }
}

extension ImportReject: WireObject {
    static func describe(_ members: inout some MemberList<ImportReject>) {
        members.always("line", about: "The line, from 1.") { $0.position.line }
        members.always("column", about: "The character in the line, from 1.") { $0.position.column }
        members.nullable("id", about: "The record's id, if it has one.") { $0.id }
        members.always("reason", about: "The reason for the rejection.") { $0.reason }
    }
}

extension ImportWarning: WireObject {
    static func describe(_ members: inout some MemberList<ImportWarning>) {
        members.always("line", about: "The line, from 1.") { $0.position.line }
        members.always("column", about: "The character in the line, from 1.") { $0.position.column }
        members.always("field", about: "The field that was left out.") { $0.field.rawValue }
        members.always("reason", about: "The reason for leaving it out.") { $0.reason }
    }
}
