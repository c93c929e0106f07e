import Foundation
import HTTPTypes
import Hummingbird
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamWire

/// Answers the requests of all routes: reads query and body, and runs the call on a thread of its lane.
struct RouteEndpoint {
    let service: PhotoStreamService
    let settings: ServerSettings
    let pools: WorkerPools
    let watches: ClientWatches
    let pictures: PictureMaker?
    let uploads: PictureUploads?
    /// Keeps the file up to date if it is a replica.
    let follower: Follower?
    let events: EventHub
    private let metrics: ServerMetrics
    private let access: AccessCheck
    /// Limits the layouts that are computed for each client.
    private let layouts: RateLimit
    /// The memory for request bodies.
    private let bodies: SharedBudget
    /// The memory for answers that are being sent.
    private let answers: SharedBudget
    /// The places for clients that wait for thumbnails.
    private let thumbnails: SharedBudget
    /// The places for pictures that are sent from their files.
    private let sentPictures: SharedBudget
    /// The places of imports, and of uploads, whose callers may write, so that one of them may have all.
    private let (imports, uploadPlaces): (SharedBudget, SharedBudget)

    init(
        service: PhotoStreamService, settings: ServerSettings, pools: WorkerPools, watches: ClientWatches,
        pictures: PictureMaker?, uploads: PictureUploads?, follower: Follower?, events: EventHub, meter: RequestMeter
    ) {
        (self.service, self.settings, self.pools, self.watches) = (service, settings, pools, watches)
        (self.pictures, self.uploads, self.follower, self.events) = (pictures, uploads, follower, events)
        metrics = ServerMetrics(
            service: service, pools: pools, events: events, watches: watches, pictures: pictures, follower: follower,
            meter: meter)
        access = AccessCheck(
            service: service, settings: settings, pool: pools.short, isReplica: follower != nil)
        layouts = RateLimit(perMinute: settings.layoutsPerMinute)
        bodies = SharedBudget(limit: settings.bodyMemory, of: .memory)
        answers = SharedBudget(limit: settings.answerMemory, of: .memory)
        thumbnails = SharedBudget(limit: settings.thumbnails, of: .thumbnails)
        sentPictures = SharedBudget(limit: OpenFileLimits.ofProcess.sentPictures, of: .files)
        imports = SharedBudget(limit: settings.imports, of: .requests, refusal: .tooManyImports)
        uploadPlaces = SharedBudget(limit: settings.uploads, of: .requests)
    }

    /// Answers a request.
    ///
    /// - Throws: ``Problem`` if the request is refused, and the errors of the route.
    func respond(to request: Request, route: Route, context: ServerContext) async throws -> Response {
        guard !request.uri.path.hasEmptySegment else {
            throw Problem(.unknownPath, detail: "there is nothing at this address")
        }
        guard !request.uri.string.isRepaired else {
            throw Problem(.badEscape, detail: "the address is not UTF-8")
        }
        if let address = context.share {
            return try await respond(to: request, sentWith: address, route: route, context: context)
        }
        let grant = try await access.grant(for: request, route: route, context: context)
        var call = try call(for: request, route: route, granted: grant, context: context)
        let answer = try await answer(&call, to: request, route: route, context: context)
        return Response(answer, body: try body(of: answer, to: call.client, context: context))
    }

    /// Answers a request that was sent with a share's link; all data that the share shows passes through here.
    ///
    /// - Throws: ``Problem``, without details that the share does not show; `HTTPError` for a route that shares may not
    ///   use.
    private func respond(
        to request: Request, sentWith address: ShareAddress, route: Route, context: ServerContext
    ) async throws -> Response {
        // For a share, other routes do not exist.
        guard let form = SharedRoutes.form(of: route) else { throw HTTPError(.notFound) }
        do {
            let grant = try await access.grant(forShare: address.secret, context: context)
            let asked = context.parameters.get("stream")
            guard let share = grant.share,
                asked == nil || asked?.unescaped.map({ StreamName(stored: $0) }) == grant.stream
            else { throw Problem(.unknownPath, detail: "a share shows nothing at this address") }
            guard !address.isIncomplete else { return Response(.page(of: address)) }
            let view = ShareView(share, of: form)
            var call = try view.opened(call(for: request, route: route, granted: grant, context: context))
            let answer = try await answer(&call, to: request, route: route, context: context)
            let shown = try view.shown(answer, of: route)
            return Response(shown, body: try body(of: shown, to: call.client, context: context))
        } catch {
            let problem = Problem(error)
            // The middleware logs the reason and answers with a fixed sentence.
            if problem.kind.status >= 500, !(error is Problem), !(error is PictureError) { throw error }
            if problem.kind == .shareEnded,
                MediaTypes.best(request.headers[.accept], of: [Problem.contentType, MediaTypes.html]) == MediaTypes.html
            {
                return Response(SharePage.ended)
            }
            throw problem.ofShare
        }
    }

    /// The maximum number of bytes of an answer that does not count against the memory for answers.
    private static let smallByteCount = 16 << 10

    /// Returns the body of an answer.
    ///
    /// Unless the answer is small or fixed, it counts against the memory for answers until its client has read it.
    private func body(
        of answer: APIResponse, to bounded: BoundedClient, context: ServerContext
    ) throws -> ResponseBody {
        if let request = answer.events { return try events.body(request, for: bounded, on: context.channel) }
        let client = SentBlocks.Client(channel: context.channel, kind: watches.kind(of: context.channel))
        if let part = answer.part {
            return part.body(on: pools.picture, to: client, place: try sentPictures.place(for: bounded))
        }
        let bytes = answer.body
        guard bytes.count > Self.smallByteCount else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
        // An HTTP/1.1 connection has one answer at a time.
        let connection = client.sharedConnection.map { SharedBudget.Holder.connection(ObjectIdentifier($0)) }
        let share = answers.share(of: bounded.holders + [connection].compactMap { $0 })
        if !answer.isFixed { try share.grow(by: bytes.count) }
        // Each block is copied when it is sent, so a client that does not read holds a copy of one block at most.
        return SentBlocks.body(bytes.count, to: client) { [share] range in
            withExtendedLifetime(share) { ByteBuffer(bytes: bytes[range]) }
        }
    }

    private func answer(
        _ call: inout APICall, to request: Request, route: Route, context: ServerContext
    ) async throws -> APIResponse {
        try await awaitRevision(request.headers[.ifRevisionAtLeast])
        let pool = pools.pool(for: route.work)
        let reading = BodyReading(
            settings: settings, budget: bodies, client: call.client, pool: pool ?? pools.short)
        guard let pool else {
            call.body = try await reading.content(of: request, route, on: context.channel)
            return try await call.answered()
        }
        guard let makeFile = route.bodyFile else {
            call.body = try await reading.content(of: request, route, on: context.channel)
            // The time of the body is limited separately, and the time of an import is not limited.
            guard let watch = watches.watch(of: context.channel) else { throw CancellationError() }
            return try await watch.limit(toSeconds: settings.requestSeconds) { [call] in
                try await run(call, on: pool, watch: watch)
            }
        }
        let place = try (route.work == .importing ? imports : uploadPlaces).place(for: .server)
        defer { withExtendedLifetime(place) {} }
        return try await pool.withAdmission(of: call.client) {
            let file = try await pool.runAdmitted { [call] in try makeFile(call) }
            call.body = try await reading.content(of: request, route, on: context.channel, into: file)
            return try await pool.runAdmitted(watch: watches.watch(of: context.channel)) { [call] in
                try await call.answered()
            }
        }
    }

    /// Answers a call on a thread of its lane, or of the long one if its layout must be folded.
    private func run(_ call: APICall, on pool: WorkerPool, watch: ClientWatch) async throws -> APIResponse {
        let work = call.route.work
        // It may wait long without a thread: only its steps that block take one, and only while they do they count as
        // requests of the lane.
        if work == .opening { return try await Task { try await call.answered() }.awaitedValue(cancelledBy: watch) }
        let answer = try await pool.run(
            watch: watch, for: call.client, cost: call.cost, isScan: work == .scanning
        ) { try await call.answered() }
        guard let fold = answer.later else { return answer }
        if answer.isFoldNew {
            try layouts.count(
                call.grant, at: settings.access.counted(call.sender), what: "layouts that must be computed")
        }
        return try await pools.long.run(watch: watch, for: call.client) {
            try await call.answered(by: fold)
        }
    }

    /// Returns the client of a request, as the shared limits count it.
    private func bounded(_ grant: AccessGrant, in context: ServerContext) -> BoundedClient {
        let channel = context.channel
        let client = SentBlocks.Client(channel: channel, kind: watches.kind(of: channel))
        return BoundedClient(
            address: settings.access.counted(ServerAddress(channel.remoteAddress)),
            isGuest: grant.share != nil || grant == .visitor,
            connection: ObjectIdentifier(client.sharedConnection ?? channel))
    }

    /// Returns the call of a request, without its body.
    ///
    /// - Throws: ``Problem`` if the address cannot be decoded, or if the client accepts no media type of the answer.
    private func call(
        for request: Request, route: Route, granted grant: AccessGrant, context: ServerContext
    ) throws(Problem) -> APICall {
        var path: [String: String] = [:]
        for name in route.path.names {
            guard let value = context.parameters.get(name)?.unescaped else {
                throw Problem(
                    .badEscape, detail: "the path has an escape sequence that is incomplete or is not UTF-8",
                    parameter: name)
            }
            path[name] = value
        }
        let query = try QueryParameters(request.uri.query) { route.parameter(named: $0) }
        let types = route.answers.first?.types ?? []
        guard let form = types.isEmpty ? "" : MediaTypes.best(request.headers[.accept], of: types) else {
            throw Problem(
                .notAcceptable, detail: "the response is available as \(types.joined(separator: " or ")) only")
        }
        return APICall(
            service: service, pictures: pictures, uploads: uploads, follower: follower, grant: grant,
            audience: grant.share.map(ShareAudience.init), access: access, metrics: metrics,
            sender: ServerAddress(context.channel.remoteAddress),
            client: bounded(grant, in: context), thumbnails: thumbnails,
            lane: pools.pool(for: route.work), method: request.method, headers: request.headers, route: route,
            path: path, query: query, form: form)
    }
}

extension APIResponse {
    /// Creates the redirect to the page of a share.
    fileprivate static func page(of share: ShareAddress) -> APIResponse {
        var answer = APIResponse(.permanentRedirect)
        answer.fields[.location] = share.page
        answer.fields[.cacheControl] = "no-store"
        answer.fields[.referrerPolicy] = "no-referrer"
        return answer
    }
}

extension Response {
    /// Creates the library's response from an answer; without `body`, from its own bytes.
    init(_ answer: APIResponse, body: ResponseBody? = nil) {
        self.init(
            status: answer.status, headers: answer.fields,
            body: body ?? ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        if status == .notModified || status == .noContent { headers[.contentLength] = nil }
    }
}
