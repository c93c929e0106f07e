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
    private let origins: OriginCheck

    init(
        service: PhotoStreamService, settings: ServerSettings, table: RouteTable, pools: WorkerPools,
        storing: DerivedStoring, watches: ClientWatches, meter: RequestMeter
    ) {
        (self.service, self.settings, self.table, self.pools) = (service, settings, table, pools)
        (self.storing, self.watches, self.meter) = (storing, watches, meter)
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
            response = problem(error, route, context)
        }
        origins.tell(&response.fields, head)
        let duration = ContinuousClock().now - start
        meter.record(route, response.status.code, duration)
        log(head, route, response, duration, context)
        if let route, route.work != .none, route.work != .opening { storing.request() }
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
        let query = try QueryParameters(head.query) { match.route.knows($0) }
        let types = match.route.answers.first?.types ?? []
        guard let form = types.isEmpty ? "" : MediaTypes.best(head[.accept], of: types) else {
            throw Problem(.notAcceptable, "the answer is had as \(types.joined(separator: " or ")) only")
        }
        let pool = pools.pool(for: match.route.work)
        let reading = BodyReading(settings: settings)
        func call(with body: RequestContent) -> APICall {
            APICall(
                service: service, head: head, route: match.route, path: match.values, query: query, body: body,
                form: form)
        }
        if let lookUp = match.route.beforeBody, let pool {
            unread = request.body
            return try await pool.holdingPlace {
                let empty = call(with: .none)
                try await pool.goOn { try lookUp(empty) }
                unread = nil
                let whole = call(with: try await reading.content(of: request, head, match.route))
                return try await pool.goOn(watch: watches.watch(of: context.channel)) { try await Self.run(whole) }
            }
        }
        let whole = call(with: try await reading.content(of: request, head, match.route))
        guard let pool else { return try await Self.run(whole) }
        // To hand a look-up to another thread costs as much as the look-up.
        if match.route.work == .lookup,
            let response = try await PhotoStreamService.answerBriefly({ try await Self.run(whole) })
        {
            return response
        }
        return try await pool.run(watch: watches.watch(of: context.channel)) { try await Self.run(whole) }
    }

    private static func run(_ call: APICall) async throws -> APIResponse {
        var call = call
        call.times.end("queue")
        var response = try await call.route.handle(&call)
        response.fields.append(HTTPField(name: .serverTiming, value: call.times.text))
        return response
    }

    private func problem(_ error: any Error, _ route: Route?, _ context: ServerContext) -> APIResponse {
        let problem = Problem(error)
        // That a client goes away, or the server ends, is no failure.
        if problem.kind.status >= 500, !(error is CancellationError) {
            context.logger.error(
                "request failed",
                metadata: [
                    "operation": "\(route?.operation ?? "none")", "problem": "\(problem.kind.rawValue)",
                    "error": "\(error)",
                ])
        }
        return APIResponse(problem)
    }

    private func log(
        _ head: RequestHead, _ route: Route?, _ response: APIResponse, _ duration: Duration, _ context: ServerContext
    ) {
        guard context.tellsRequests else { return }
        context.logger.info(
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
        var fields = fields
        fields.append(HTTPField(name: .requestID, value: requestID))
        fields.append(.noSniffing)
        if status != .notModified, status != .noContent {
            fields.append(HTTPField(name: .contentLength, value: String(byteCount)))
        }
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
