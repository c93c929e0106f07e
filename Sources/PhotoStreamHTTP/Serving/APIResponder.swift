import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PhotoStreamService

/// Answers requests: finds the route, reads the body, has the service work on threads of its own, logs.
///
/// One for all requests, by reference.
final class APIResponder: HTTPResponder {
    let service: PhotoStreamService
    let settings: ServerSettings
    let table: RouteTable
    let pools: WorkerPools
    let storing: DerivedStoring
    let watches: ClientWatches
    let meter: RequestMeter
    let logger: Logger
    let origins: OriginCheck

    init(
        service: PhotoStreamService, settings: ServerSettings, table: RouteTable, pools: WorkerPools,
        storing: DerivedStoring, watches: ClientWatches, meter: RequestMeter, logger: Logger
    ) {
        (self.service, self.settings, self.table, self.pools) = (service, settings, table, pools)
        (self.storing, self.watches, self.meter, self.logger) = (storing, watches, meter, logger)
        origins = OriginCheck(settings.allowedOrigins)
    }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let start = ContinuousClock().now
        let head = RequestHead(request.head)
        var route: Route?
        var unread: RequestBody?
        var response: APIResponse
        do {
            response = try await answer(request, head, &route, &unread, context)
        } catch {
            response = problem(error, route, context.logger)
        }
        origins.tell(&response.fields, head)
        takeNote(of: response, to: head, route, since: start, context.logger)
        return response.sent(to: head.method, context.requestID, before: unread) {
            $0.body(on: pools.pictures, context.channel)
        }
    }

    private func answer(
        _ request: Request, _ head: RequestHead, _ route: inout Route?, _ unread: inout RequestBody?,
        _ context: ServerContext
    ) async throws -> APIResponse {
        try HostCheck.check(head.authority)
        if let permission = try origins.check(head, table) { return permission }
        let match = try table.match(head)
        route = match.route
        var call = try call(head, match)
        let pool = pools.pool(for: match.route.work)
        let reading = BodyReading(settings: settings)
        if let lookUp = match.route.beforeBody, let pool {
            unread = request.body
            return try await pool.holdingPlace {
                try await pool.goOn { [call] in try lookUp(call) }
                unread = nil
                call.body = try await reading.content(of: request, head, match.route, on: context.channel)
                return try await pool.goOn(watch: watches.watch(of: context.channel)) { [call] in
                    try await Self.run(call)
                }
            }
        }
        call.body = try await reading.content(of: request, head, match.route, on: context.channel)
        guard let pool else { return try await Self.run(call) }
        return try await pool.run(watch: watches.watch(of: context.channel)) { [call] in try await Self.run(call) }
    }

    /// Makes the call of a request, without its body.
    ///
    /// - Throws: ``Problem`` for a query that cannot be read, and where the answer has no form that the client takes.
    func call(_ head: RequestHead, _ match: RouteTable.Match) throws(Problem) -> APICall {
        let query = try QueryParameters(head.query) { match.route.knows($0) }
        let types = match.route.answers.first?.types ?? []
        guard let form = types.isEmpty ? "" : MediaTypes.best(head[.accept], of: types) else {
            throw Problem(.notAcceptable, "the answer is had as \(types.joined(separator: " or ")) only")
        }
        return APICall(
            service: service, head: head, route: match.route, path: match.values, query: query, form: form)
    }

    private static func run(_ call: APICall) async throws -> APIResponse {
        switch call.route.handling {
        case .direct(let handle): return try call.answered(by: handle)
        case .suspending(let handle):
            var call = call
            call.times.end("queue")
            let response = try await handle(&call)
            return call.timed(response)
        }
    }

    /// The answer that an error is; a failure of ours is logged.
    func problem(_ error: any Error, _ route: Route?, _ logger: @autoclosure () -> Logger) -> APIResponse {
        let problem = Problem(error)
        // That a client goes away, or the server ends, is no failure.
        if problem.kind.status >= 500, !(error is CancellationError) {
            logger().error(
                "request failed",
                metadata: [
                    "operation": "\(route?.operation ?? "none")", "problem": "\(problem.kind.rawValue)",
                    "error": "\(error)",
                ])
        }
        return APIResponse(problem)
    }

    /// Counts, times and logs an answer, and has stored what was computed for it.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - head: What it answers.
    ///   - route: What was asked; `nil` where nothing is at the address.
    ///   - start: When the request was taken in.
    ///   - logger: A logger that knows the request's id.
    func takeNote(
        of response: APIResponse, to head: RequestHead, _ route: Route?, since start: ContinuousClock.Instant,
        _ logger: @autoclosure () -> Logger
    ) {
        let duration = ContinuousClock().now - start
        meter.record(route, response.status.code, duration)
        if let route, route.work != .none, route.work != .opening { storing.request() }
        guard self.logger.logLevel <= .info else { return }
        logger().info(
            "request",
            metadata: [
                "method": "\(head.method.rawValue)", "path": "\(head.path)",
                "operation": "\(route?.operation ?? "none")",
                "status": "\(response.status.code)", "milliseconds": "\(StageTimes.milliseconds(duration))",
                "bytes": "\(response.byteCount)",
            ])
    }
}

extension APIResponse {
    /// The answer as Hummingbird sends it.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - requestID: Its id.
    ///   - unread: The body of a request that was refused before it: it is read after the answer, to nowhere, since a
    ///     client may read only when it has sent all.
    ///   - bodyOfPart: What sends bytes of a file.
    /// - Returns: The answer.
    fileprivate func sent(
        to method: HTTPRequest.Method, _ requestID: String, before unread: RequestBody?,
        _ bodyOfPart: (FilePart) -> ResponseBody
    ) -> Response {
        let fields = allFields(requestID)
        guard method != .head, byteCount > 0 else {
            return Response(status: status, headers: fields, body: ResponseBody())
        }
        let buffer = ByteBuffer(bytes: body)
        if let unread {
            let bytes = ResponseBody(contentLength: byteCount) { writer in
                try await writer.write(buffer)
                try await writer.finish(nil)
                for try await _ in unread {}
            }
            return Response(status: status, headers: fields, body: bytes)
        }
        let bytes = part.map(bodyOfPart) ?? ResponseBody(byteBuffer: buffer)
        return Response(status: status, headers: fields, body: bytes)
    }

    /// The fields with those that every answer has; `requestID` is the id of the request.
    func allFields(_ requestID: String) -> HTTPFields {
        var fields = fields
        fields.append(HTTPField(name: .requestID, value: requestID))
        if status != .notModified, status != .noContent {
            fields.append(.noSniffing)
            fields.append(HTTPField(name: .contentLength, value: String(byteCount)))
        }
        return fields
    }
}

extension HTTPField {
    fileprivate static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")
}

extension HTTPField.Name {
    fileprivate static let requestID = known("X-Request-ID")
    fileprivate static let contentTypeOptions = known("X-Content-Type-Options")
    static let serverTiming = known("Server-Timing")
    static let referrerPolicy = known("Referrer-Policy")

    /// A name that is known to be one.
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name of a field") }
        return name
    }
}
