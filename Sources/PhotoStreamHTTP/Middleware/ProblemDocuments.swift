import HTTPTypes
import Hummingbird
import Logging

/// Answers every error with a problem document; a failure of the server is logged.
struct ProblemDocuments: RouterMiddleware {
    typealias Context = ServerContext

    let table: RouteTable

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return Response(APIResponse(unrouted(request)))
        } catch {
            let problem = Problem(error)
            // That a client goes away, or the server ends, is not a failure.
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

    /// The problem of a request that the router has no route for.
    private func unrouted(_ request: Request) -> Problem {
        guard let allowed = table.methods(at: request.uri.path) else {
            return Problem(.unknownPath, "there is nothing at this address")
        }
        let detail = "\(request.method.rawValue) is not allowed here, but " + allowed.joined(separator: ", ")
        var problem = Problem(.methodNotAllowed, detail)
        problem.allowedMethods = allowed
        return problem
    }
}
