import HTTPTypes
import Hummingbird

/// All routes: the router, the check of parameters and the description of the interface are made of this one table.
struct RouteTable: Sendable {
    /// The routes, in the order of the description.
    let routes: [Route]
    /// The routes by their path.
    let paths: [(path: RoutePath, routes: [Route])]

    /// Bundles routes.
    init(_ routes: [Route]) {
        self.routes = routes
        var paths: [(path: RoutePath, routes: [Route])] = []
        for route in routes {
            if let position = paths.firstIndex(where: { $0.path == route.path }) {
                paths[position].routes.append(route)
            } else {
                paths.append((route.path, [route]))
            }
        }
        self.paths = paths
    }

    /// The route that the router has chosen.
    ///
    /// - Parameters:
    ///   - template: The path of the route.
    ///   - method: The method of the request; `HEAD` is answered by the route of `GET`.
    /// - Returns: The route; `nil` where the table has none.
    func route(at template: String, _ method: HTTPRequest.Method) -> Route? {
        let method = method == .head ? .get : method
        return routes.first { $0.path.template == template && $0.method == method }
    }

    /// The methods of a request's path; `nil` where nothing is at the address.
    func methods(at path: String) -> [String]? {
        guard let routes = paths.first(where: { $0.path.matches(path) })?.routes else { return nil }
        let methods = routes.map(\.method.rawValue)
        return methods.contains("GET") ? methods + ["HEAD"] : methods
    }

    /// The router of the table's routes.
    ///
    /// - Parameters:
    ///   - middleware: What each request passes, the outermost first.
    ///   - endpoint: What answers the requests of all routes.
    /// - Returns: The router.
    func router(
        behind middleware: [any MiddlewareProtocol<Request, Response, ServerContext>], _ endpoint: RouteEndpoint
    ) -> RouterResponder<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        for middleware in middleware { router.add(middleware: middleware) }
        for route in routes {
            router.on(RouterPath(route.path.template), method: route.method) { request, context in
                try await endpoint.respond(to: request, route, context)
            }
        }
        return router.buildResponder()
    }
}
