import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Streams.
enum StreamRoutes {
    static let path = RoutePath("/v1/streams/{stream}")

    static let list = Route(
        method: .get, path: RoutePath("/v1/streams"), operation: "listStreams",
        summary: "Streams by name, with their imports; what they refused is told with each stream.",
        parameters: [
            RouteParameter(
                "limit", .integer(1...PhotoStreamService.maximumLimit),
                "The most streams to answer. (default: \(PhotoStreamService.defaultLimit))"),
            RouteParameter("after", .streamName, "Begin with the first name after this one, in the order of bytes."),
        ],
        isCacheable: true, answers: [.init(schema: "StreamList")], problems: [.invalidName, .invalidParameter]
    ) { call in
        let limit = try call.limit()
        let after = try call.query["after"].map { try call.name($0, of: "after", StreamName.init(_:)) }
        let (streams, isTruncated) = try call.read { session in try session.streams(after: after, limit: limit) }
        return call.answer(
            JSONWriter.bytes {
                $0.value(
                    StreamList(streams.map { $0.withoutPaths(hasFailures: false) }, isTruncated: isTruncated))
            }
        )
    }

    static let show = Route(
        method: .get, path: path, operation: "getStream", summary: "A stream with its imports.", isCacheable: true,
        answers: [.init(schema: "Stream")], problems: [.unknownStream, .invalidName]
    ) { call in
        let name = try call.stream
        return call.answer(try call.read { session in try session.stream(name) }.shown)
    }

    static let stats = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/stats"), operation: "getStats",
        summary: "What there is in a stream, in numbers: dates, captions, shapes, what is stored. Reads every photo.",
        isCacheable: true, answers: [.init(schema: "Stats")], problems: [.unknownStream, .invalidName],
        work: .scanning
    ) { call in
        let name = try call.stream
        return try call.answer(validatedBy: { session in try session.statsValidator(of: name).text }) { session in
            guard let stats = try session.stats(of: name).streams.first else {
                throw StreamServiceError.unknownStream(name.rawValue)
            }
            return stats
        } json: {
            $0.value($1)
        }
    }

    static let changes = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/changes"), operation: "getChanges",
        summary: """
            What became of a stream's photos since a revision, each photo once: a line that says what was asked, then a \
            line for each change. Where nobody can tell any more the only line has a member reload.
            """,
        parameters: [.since, .revision], isCacheable: true,
        answers: [.init(200, [MediaTypes.jsonLines, MediaTypes.json], schema: "Changes")],
        problems: [.unknownStream, .invalidName, .invalidParameter, .missingParameter, .otherRevision],
        work: .scanning
    ) { call in
        let (stream, since) = (try call.stream, try call.since())
        let asLines = call.form == MediaTypes.jsonLines
        return try call.answer(about: stream) { session in
            try session.changes(of: stream, since: since)
        } json: {
            asLines ? $0.lines($1) : $0.value($1)
        }
    }
}
