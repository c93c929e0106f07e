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
    /// - Returns: The values, still encoded; `nil` where the path is another one.
    func values(of path: [Substring]) -> [String: Substring]? {
        guard path.count == segments.count, zip(path, segments).allSatisfy({ $1.mayBe($0) }) else { return nil }
        var values: [String: Substring] = [:]
        for (part, segment) in zip(path, segments) {
            if case .value(let name) = segment { values[name] = part }
        }
        return values
    }
}
