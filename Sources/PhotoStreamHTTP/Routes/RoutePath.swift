/// The path of a route: segments, some of which stand for values.
struct RoutePath: Hashable {
    /// A part between slashes.
    enum Segment: Hashable {
        /// The very text.
        case literal(String)
        /// One segment of any text, decoded once; a slash in it is written `%2F`.
        case value(String)

        /// Whether a part of a request's path stands for it.
        func mayBe(_ part: Substring) -> Bool {
            switch self {
            case .literal(let text): part == text
            case .value: !part.isEmpty
            }
        }
    }

    /// As the description of the interface writes it: `/v1/streams/{stream}`.
    let template: String
    /// The segments.
    let segments: [Segment]

    /// Reads a template.
    init(_ template: String) {
        self.template = template
        segments = template.dropFirst().split(separator: "/").map { part in
            part.hasPrefix("{") ? .value(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// The names of the values.
    var names: [String] {
        segments.compactMap { if case .value(let name) = $0 { name } else { nil } }
    }

    /// The values of a path.
    ///
    /// - Parameter path: The segments of a request's path as they were sent.
    /// - Returns: The values by their names, still encoded, in the path's order; `nil` where the path is another one.
    func values(of path: [Substring]) -> [(name: String, text: Substring)]? {
        guard path.count == segments.count, zip(path, segments).allSatisfy({ $1.mayBe($0) }) else { return nil }
        return zip(path, segments).compactMap { part, segment in
            if case .value(let name) = segment { (name, part) } else { nil }
        }
    }
}

/// What the segments of a request's path stand for, decoded.
struct PathValues {
    /// Names and values, in the path's order.
    var all: [(name: String, value: String)] = []

    /// The value of a name.
    subscript(name: String) -> String? { all.first { $0.name == name }?.value }
}
