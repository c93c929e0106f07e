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
        let (streams, isTruncated) = try call.service.streams(after: after, limit: limit)
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
        call.answer(try call.service.stream(try call.stream).shown)
    }

    static let stats = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/stats"), operation: "getStats",
        summary: "What there is in a stream, in numbers: dates, captions, shapes, what is stored. Reads every photo.",
        isCacheable: true, answers: [.init(schema: "Stats")], problems: [.unknownStream, .invalidName],
        work: .scanning
    ) { call in
        let name = try call.stream
        return try call.answer(markedBy: { try $0.statsMark(of: name).text }) { call in
            guard let stats = try call.service.stats(of: name).streams.first else {
                throw StreamServiceError.unknownStream(name.rawValue)
            }
            return (stats.mark.text, JSONWriter.bytes { $0.value(stats) })
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
        return try call.answer(about: stream) { call in
            let streamID = try call.service.state(of: stream).streamID
            let answer = try call.service.changes(of: stream, since: since)
            call.times.end("service")
            let asLines = call.form == MediaTypes.jsonLines
            let body = JSONWriter.bytes { asLines ? $0.lines(answer) : $0.value(answer) }
            call.times.end("encode")
            return (StreamState(streamID: streamID, revision: answer.revision), body)
        }
    }
}

extension ChangesOrReload<ChangesAnswer> {
    /// The state of the stream that the answer speaks of.
    var revision: Revision {
        switch self {
        case .changes(let answer): answer.revision
        case .reload(let answer): answer.revision
        }
    }
}
