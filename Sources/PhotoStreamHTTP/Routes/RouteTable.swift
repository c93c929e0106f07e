import HTTPTypes
import Hummingbird
import PhotoStreamModel

/// The table of all routes, the source of the router, the checks of parameters and the OpenAPI document.
struct RouteTable: Sendable {
    /// The routes, in the order of the document.
    let routes: [Route]
    /// The routes by their path.
    let paths: [(path: RoutePath, routes: [Route])]

    /// Creates a table of routes.
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

    /// Returns the route that the router has chosen.
    ///
    /// - Parameters:
    ///   - template: The path of the route.
    ///   - method: The method of the request; `HEAD` is answered by the route of `GET`.
    /// - Returns: The route; `nil` if the table has none.
    func route(at template: String, _ method: HTTPRequest.Method) -> Route? {
        let method = method == .head ? .get : method
        return routes.first { $0.path.template == template && $0.method == method }
    }

    /// Returns the methods of a request's path; `nil` for an unknown path.
    ///
    /// If the request was sent with a share's link, only the methods of shares are returned.
    func methods(at path: String, ofShare isOfShare: Bool) -> [String]? {
        guard var routes = paths.first(where: { $0.path.matches(path) })?.routes else { return nil }
        if isOfShare { routes = routes.filter { SharedRoutes.form(of: $0) != nil } }
        guard !routes.isEmpty else { return nil }
        let methods = routes.map(\.method.rawValue)
        return methods.contains("GET") ? methods + ["HEAD"] : methods
    }

    /// Returns the router of the table's routes.
    ///
    /// - Parameters:
    ///   - middleware: The middleware of all requests, the outermost first.
    ///   - endpoint: The responder of all routes.
    /// - Returns: The router.
    func router(
        through middleware: [any MiddlewareProtocol<Request, Response, ServerContext>], to endpoint: RouteEndpoint
    ) -> RouterResponder<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        for middleware in middleware { router.add(middleware: middleware) }
        for route in routes {
            router.on(RouterPath(route.path.template), method: route.method) { request, context in
                try await endpoint.respond(to: request, route: route, context: context)
            }
        }
        return router.buildResponder()
    }
}

extension RouteTable {
    /// Every route of the interface; the OpenAPI document describes this table.
    static let all = RouteTable(interface + [HomeRoute.gallery, GalleryRoutes.file])

    /// The routes of a server without the gallery.
    static let withoutGallery = RouteTable(interface + [HomeRoute.plain])

    private static let interface: [Route] = [
        StreamRoutes.list, StreamWriting.create, StreamRoutes.show, StreamWriting.rename, StreamWriting.delete,
        StreamRoutes.stats, StreamRoutes.facets, StreamRoutes.changes, EventRoutes.show, PhotoRoutes.list,
        PhotoImporting.post,
        PhotoRoutes.show, PhotoRoutes.deleted, PhotoWriting.put, PhotoWriting.patch, PhotoWriting.delete,
        PhotoWriting.restore, PhotoWriting.move, PhotoWriting.reset, PhotoRoutes.stack, StackWriting.takeApart,
        StackWriting.cover,
        PictureRoutes.show, PictureRoutes.film, ThumbnailRoutes.show, UploadRoutes.post,
        AlbumRoutes.list, AlbumRoutes.change, AlbumRoutes.move, AlbumRoutes.delete,
        LayoutRoutes.summary, LayoutRoutes.page, LayoutRoutes.rect, LayoutRoutes.items,
        LayoutRoutes.cluster, LayoutPlaceRoutes.elements,
        LayoutPlaceRoutes.locate, LayoutPlaceRoutes.at, LayoutPlaceRoutes.scrubber, LayoutPlaceRoutes.target,
        LayoutPlaceRoutes.updates, SessionRoutes.show, SessionRoutes.create, SessionRoutes.delete, SignInRoutes.show,
        SignInRoutes.begin, PlaceRoutes.list,
        DescriptionRoute.show, HealthRoutes.health, HealthRoutes.readiness, MetricsRoutes.show,
    ]
}

/// The path of a route.
///
/// A segment in braces matches one segment of any text, in which a slash is written `%2F`.
struct RoutePath: Hashable {
    /// The path as the router and the OpenAPI document write it: `/v1/streams/{stream}`.
    let template: String
    /// The names of the segments in braces.
    let names: [String]

    init(_ template: String) {
        self.template = template
        names = template.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Returns whether a request's path matches.
    func matches(_ path: String) -> Bool {
        let (pattern, parts) = (RouterPath(template), path.split(separator: "/"))
        return pattern.count == parts.count && !path.hasEmptySegment && zip(pattern, parts).allSatisfy { $0 ~= $1 }
    }
}

extension String {
    /// Whether a path has an empty segment.
    ///
    /// The router ignores empty segments, but a missing id must not turn one path into another.
    var hasEmptySegment: Bool {
        let (bytes, slash) = (utf8, UInt8(ascii: "/"))
        return zip(bytes, bytes.dropFirst()).contains { $0 == slash && $1 == slash }
            || bytes.count > 1 && bytes.last == slash
    }

    /// Whether an address has an unescaped U+FFFD, with which the libraries replace bytes that are not UTF-8.
    var isRepaired: Bool {
        let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
        var matched = 0
        for byte in utf8 where byte >= 0x80 || matched > 0 {
            matched = byte == replacement[matched] ? matched + 1 : byte == replacement[0] ? 1 : 0
            if matched == replacement.count { return true }
        }
        return false
    }

    /// The text without its escape sequences; `nil` if one is incomplete or the result is not UTF-8.
    var unescaped: String? { PercentEscapes.decoded(self) }
}
