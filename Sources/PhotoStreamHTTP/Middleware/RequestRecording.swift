import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Counts, times and logs every answer, adds the request's id to it, and requests that computed data be stored.
struct RequestRecording: RouterMiddleware {
    typealias Context = ServerContext

    let table: RouteTable
    let meter: RequestMeter
    let storing: DerivedStoring

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await next(request, context)
        let duration = ContinuousClock.now - start
        let route = context.endpointPath.flatMap { table.route(at: $0, request.method) }
        let path = (context.share == nil ? "" : "/s/-") + request.uri.path.withoutSecrets
        response.headers.append(HTTPField(name: .requestID, value: context.id))
        if response.status != .notModified, response.status != .noContent { response.headers.append(.noSniffing) }
        if response.headers[.contentType]?.hasPrefix(MediaTypes.html) == true { response.headers.append(.isolation) }
        meter.record(route, status: response.status.code, duration: duration)
        if route?.computes == true { storing.request() }
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "path": "\(path)",
                "operation": "\(route?.operation ?? "none")", "status": "\(response.status.code)",
                "milliseconds": "\(StageTimes.milliseconds(duration))",
                "bytes": "\(response.body.contentLength ?? 0)",
            ])
        return response
    }

    /// Returns the answer to bytes that are not a request.
    ///
    /// It is the last one of its connection, and no other middleware sees it.
    ///
    /// - Parameters:
    ///   - problem: The reason.
    ///   - logger: The logger that receives it.
    /// - Returns: The answer's head and body.
    func refusal(of problem: Problem, _ logger: Logger) -> (head: HTTPResponse, body: [UInt8]) {
        var answer = APIResponse(problem)
        let id = RequestID()
        meter.record(nil, status: answer.status.code, duration: .zero)
        logger.info(
            "not a request",
            metadata: [
                "hb.request.id": "\(id)", "status": "\(answer.status.code)", "problem": "\(problem.kind.rawValue)",
            ])
        answer.fields[.connection] = "close"
        answer.fields[.server] = PhotoStreamServer.name
        answer.fields[.date] = HTTPDate(seconds: Int64(time(nil)))?.description
        answer.fields.append(HTTPField(name: .requestID, value: "\(id)"))
        answer.fields.append(.noSniffing)
        answer.fields[.contentLength] = String(answer.body.count)
        return (HTTPResponse(status: answer.status, headerFields: answer.fields), answer.body)
    }
}

extension HTTPField {
    fileprivate static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")
    /// Separates a page from pages that open it.
    fileprivate static let isolation = HTTPField(name: .openerPolicy, value: "same-origin")
}

extension HTTPField.Name {
    fileprivate static let contentTypeOptions = known("X-Content-Type-Options")
    fileprivate static let requestID = known("X-Request-ID")
    static let serverTiming = known("Server-Timing")
    static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let openerPolicy = known("Cross-Origin-Opener-Policy")

    /// Returns a name that is known to be valid.
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not the name of a field") }
        return name
    }
}
