import HTTPTypes
import Hummingbird
import Logging

/// Answers every error with a problem document and logs failures of the server.
struct ProblemDocuments: RouterMiddleware {
    typealias Context = ServerContext

    let table: RouteTable

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            if Self.isNearDescription(request), context.share == nil { return Response(Self.description) }
            return Response(APIResponse(unrouted(request, isOfShare: context.share != nil)))
        } catch {
            let problem = Problem(error)
            // A client that leaves and a server that shuts down are not failures.
            if problem.kind.status >= 500, !(error is CancellationError) {
                let route = context.endpointPath.flatMap { table.route(at: $0, request.method) }
                context.logger.error(
                    "request failed",
                    metadata: [
                        "operation": "\(route?.operation ?? "none")", "problem": "\(problem.kind.rawValue)",
                        "error": "\(error)",
                    ])
            }
            return Response(APIResponse(problem))
        }
    }

    /// The redirect to the OpenAPI document from the address at which generators look for it.
    private static let description: APIResponse = {
        var answer = APIResponse(.permanentRedirect)
        answer.fields[.location] = DescriptionRoute.show.path.template
        return answer
    }()

    private static func isNearDescription(_ request: Request) -> Bool {
        [.get, .head].contains(request.method) && request.uri.path == "/openapi.json"
    }

    /// Returns the problem of a request for which the router has no route.
    private func unrouted(_ request: Request, isOfShare: Bool) -> Problem {
        guard let allowed = table.methods(at: request.uri.path, ofShare: isOfShare) else {
            return Problem(.unknownPath, detail: "there is nothing at this address")
        }
        let detail = "\(request.method.rawValue) is not allowed here; use " + allowed.joined(separator: ", ")
        var problem = Problem(.methodNotAllowed, detail: detail)
        problem.allowedMethods = allowed
        return problem
    }
}
