import Hummingbird

/// The path of a route: segments, some of which stand for one segment of any text, in which a slash is written `%2F`.
struct RoutePath: Hashable {
    /// The path as the router and the description of the interface write it: `/v1/streams/{stream}`.
    let template: String

    init(_ template: String) {
        self.template = template
    }

    /// The names of the values.
    var names: [String] {
        template.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Whether a request's path is one of these.
    func matches(_ path: String) -> Bool {
        let (pattern, parts) = (RouterPath(template), path.split(separator: "/"))
        return pattern.count == parts.count && !path.hasEmptySegment && zip(pattern, parts).allSatisfy { $0 ~= $1 }
    }
}

extension String {
    /// Whether a path has a segment without text; the router passes over them, but an id that is missing must not turn
    /// a path into another one.
    var hasEmptySegment: Bool { contains("//") || count > 1 && hasSuffix("/") }
}
