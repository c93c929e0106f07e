import HTTPTypes

/// All routes: the router, the check of parameters and the description of the interface read this one table.
struct RouteTable: Sendable {
    /// A route with the values of the request's path.
    struct Match {
        let route: Route
        let values: PathValues
    }

    /// The routes, in the order of the description.
    let routes: [Route]
    /// The routes by their path.
    let paths: [(path: RoutePath, routes: [Route])]
    /// The paths by how many segments they have.
    private let pathsByLength: [[(path: RoutePath, routes: [Route])]]

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
        let longest = paths.map(\.path.segments.count).max() ?? 0
        pathsByLength = (0...longest).map { length in paths.filter { $0.path.segments.count == length } }
    }

    /// The route of a request.
    ///
    /// - Throws: ``Problem`` for an unknown address, for a method that the address does not know, and for a path that
    ///   cannot be decoded.
    func match(_ head: RequestHead) throws(Problem) -> Match {
        let segments = head.path.segments
        for (path, routes) in pathsByLength.indices.contains(segments.count) ? pathsByLength[segments.count] : [] {
            guard let encoded = path.values(of: segments) else { continue }
            guard let route = routes.first(where: { $0.method == head.method || $0.answersHead(head.method) }) else {
                throw Self.methodProblem(head.method, routes)
            }
            var values = PathValues()
            for (name, text) in encoded {
                guard let value = PercentEncoding.decoded(text) else {
                    throw Problem(.badEscape, "the path has an escape that is cut off or is not UTF-8", parameter: name)
                }
                values.all.append((name, value))
            }
            return Match(route: route, values: values)
        }
        throw Problem(.unknownPath, "there is nothing at this address")
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

extension Substring {
    /// The parts between slashes of a path, which begins with one.
    fileprivate var segments: [Substring] {
        var segments: [Substring] = []
        var rest = utf8.dropFirst()
        while let end = rest.firstIndex(of: UInt8(ascii: "/")) {
            segments.append(rest[..<end].text)
            rest = rest[end...].dropFirst()
        }
        segments.append(rest.text)
        return segments
    }
}
