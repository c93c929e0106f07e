import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The routes that read streams.
enum StreamRoutes {
    static let path = RoutePath("/v1/streams/{stream}")

    static let list = Route(
        method: .get, path: RoutePath("/v1/streams"), operation: "listStreams", access: .read,
        summary:
            "Streams and kept views by name, each stream with its newest import; only the route of one lists rejects.",
        parameters: [
            RouteParameter(
                "limit", as: .integer(1...PhotoStreamService.maximumLimit),
                summary: "The maximum number of streams. (default: \(PhotoStreamService.defaultLimit))"),
            RouteParameter(
                "after", as: .streamName, summary: "Begin with the first name after this one, in byte order."),
        ],
        isCacheable: true, answers: [.init(schema: "StreamList")], problems: [.invalidName, .invalidParameter]
    ) { call in
        try call.service.countsBySelection() ? .inLaneOfFolds(listed) : try listed(&call)
    }

    private static func listed(_ call: inout APICall) throws -> APIResponse {
        let limit = try call.limit()
        let after = try call.query["after"].map { try call.name($0, of: "after", as: StreamName.init(_:)) }
        let (grant, uploads) = (call.grant, call.uploads)
        let (streams, isTruncated): ([StreamSummary], Bool) = try call.service.read { session in
            // Return the only stream of the grant and its kept views, without the names of others.
            guard let own = grant.stream, grant.share != nil else {
                return try session.streams(after: after, of: grant.stream, limit: limit)
            }
            let isAfter = after.map { $0.rawValue < own.rawValue } ?? true
            return (isAfter ? [try session.stream(own)] : [], false)
        }
        let shown = streams.map { $0.seen(by: grant, allowing: uploads).withoutPaths(hasFailures: false) }
        return call.answer(validating: { $0.value(StreamList(shown, isTruncated: isTruncated)) })
    }

    static let show = Route(
        method: .get, path: path, operation: "getStream", access: .read,
        summary: "A stream with its imports, or a kept view.",
        isCacheable: true,
        answers: [.init(schema: "Stream")], problems: [.unknownStream, .invalidName]
    ) { call in
        try call.service.countsBySelection(try call.stream) ? .inLaneOfFolds(shown) : try shown(&call)
    }

    private static func shown(_ call: inout APICall) throws -> APIResponse {
        let name = try call.stream
        let stream = try call.service.read { session in try session.stream(name) }
        let seen = stream.seen(by: call.grant, allowing: call.uploads)
        return call.answer(validating: { $0.value(seen.shown) }, about: { $0.value(seen.shownWithoutPictures) })
    }

    static let stats = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/stats"), operation: "getStats", access: .read,
        summary: "A stream in numbers: dates, captions, shapes, stored data. Reads every photo.",
        parameters: [.condition], isCacheable: true, answers: [.init(schema: "Stats")],
        problems: [.unknownStream, .invalidName, .invalidParameter], work: .scanning
    ) { call in
        let (name, condition) = (try call.stream, try call.condition()?.resolvedNow())
        return try call.answer(validatedBy: { session in
            try session.statsValidator(of: name) + "\u{0}" + (condition?.canonicalText ?? "")
        }) { session in
            guard let stats = try session.stats(of: name, where: condition).streams.first else {
                throw StreamServiceError.unknownStream(name.rawValue)
            }
            return stats
        } json: {
            $0.value($1)
        }
    }

    static let facets = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/facets"), operation: "getFacets", access: .read,
        summary: """
            The tags, albums, cameras, years, ratings and folders of a stream's photos, or of those that meet a condition, each with \
            the number of photos that adding it to the condition leaves.
            """,
        parameters: [
            .condition,
            RouteParameter(
                "limit", as: .integer(1...PhotoStreamService.maximumFacetCount),
                summary: """
                    The maximum number of facets of each kind. (default: \(PhotoStreamService.defaultFacetCount))
                    """),
            .revision,
        ], isCacheable: true, answers: [.init(schema: "Facets")],
        problems: [.unknownStream, .invalidName, .invalidParameter, .otherRevision], work: .scanning
    ) { call in
        let (stream, condition) = (try call.stream, try call.condition()?.resolvedNow())
        let limit = try call.checkedLimit("limit", maximum: PhotoStreamService.maximumFacetCount)
        let readable = call.audience?.readable ?? .all
        return try call.answer(about: stream) { session in
            try session.facets(
                of: stream, where: condition, limit: limit ?? PhotoStreamService.defaultFacetCount, readable: readable)
        } json: {
            $0.value($1)
        }
    }

    static let changes = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/changes"), operation: "getChanges", access: .read,
        summary: """
            The changes of a stream's photos since a revision, or of those that meet a condition, each photo once: a line \
            about the query, then a line for each change. If the changes are no longer known, the only line has a member reload.
            """,
        parameters: [
            .since,
            RouteParameter(
                "limit", as: .integer(1...PhotoStreamService.maximumChangeCount),
                summary: """
                    Return a page of at most this many changes. If its first line has complete: false, send its state \
                    as since in the next request. (default: all changes, or reload if there are more than \
                    \(PhotoStreamService.maximumChangeCount))
                    """),
            .condition, .revision,
        ], isCacheable: true,
        answers: [.init(200, types: [MediaTypes.jsonLines, MediaTypes.json], schema: "Changes")],
        problems: [.unknownStream, .invalidName, .invalidParameter, .missingParameter, .otherRevision],
        work: .scanning
    ) { call in
        let (stream, since) = (try call.stream, try call.since())
        let (asLines, condition) = (call.form == MediaTypes.jsonLines, try call.condition()?.resolvedNow())
        let limit = try call.checkedLimit("limit", maximum: PhotoStreamService.maximumChangeCount)
        let isRefused = condition != nil && call.audience != nil
        return try call.answer(about: stream) { session in
            // A share's readers could find values that were removed by conditions on earlier states.
            if isRefused { return try session.refusedChanges(of: stream, since: since) }
            guard let limit else { return try session.changes(of: stream, where: condition, since: since) }
            return try session.changes(of: stream, where: condition, since: since, limit: limit)
        } json: {
            asLines ? $0.lines($1) : $0.value($1)
        }
    }
}
