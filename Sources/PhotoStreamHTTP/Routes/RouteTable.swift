import HTTPTypes

/// All routes: the router, the check of parameters and the description of the interface read this one table.
struct RouteTable: Sendable {
    /// A route with the values of the request's path.
    struct Match {
        let route: Route
        let values: [String: String]
    }

    /// The routes, in the order of the description.
    let routes: [Route]
    /// The routes by their path.
    let paths: [(path: RoutePath, routes: [Route])]
    private let parameterNames: [String: Set<String>]

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
        parameterNames = Dictionary(
            uniqueKeysWithValues: routes.map { ($0.operation, Set($0.parameters.map(\.name))) })
    }

    /// The route of a request.
    ///
    /// - Throws: ``Problem`` for an unknown address, for a method that the address does not know, and for a path that
    ///   cannot be decoded.
    func match(_ head: RequestHead) throws(Problem) -> Match {
        let segments = head.path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(\.text)
        for (path, routes) in paths {
            guard let encoded = path.values(of: segments) else { continue }
            guard let route = routes.first(where: { $0.method == head.method || $0.answersHead(head.method) }) else {
                throw Self.methodProblem(head.method, routes)
            }
            var values: [String: String] = [:]
            for (name, text) in encoded {
                guard let value = PercentEncoding.decoded(text) else {
                    throw Problem(.badEscape, "the path has an escape that is cut off or is not UTF-8", parameter: name)
                }
                values[name] = value
            }
            return Match(route: route, values: values)
        }
        throw Problem(.unknownPath, "there is nothing at this address")
    }

    /// Whether a route knows a parameter.
    func knows(_ parameter: String, _ route: Route) -> Bool {
        parameterNames[route.operation]?.contains(parameter) ?? false
    }

    private static func methodProblem(_ method: HTTPRequest.Method, _ routes: [Route]) -> Problem {
        var allowed = routes.map(\.method.rawValue)
        if allowed.contains("GET") { allowed.append("HEAD") }
        var problem = Problem(
            .methodNotAllowed, "\(method.rawValue) is not allowed here, but " + allowed.joined(separator: ", "))
        problem.allowedMethods = allowed
        return problem
    }
}

extension Route {
    /// Whether it answers `HEAD` as it answers `GET`, without the body.
    fileprivate func answersHead(_ method: HTTPRequest.Method) -> Bool {
        method == .head && self.method == .get
    }
}
