/// The right of a caller of the server; each scope includes those before it.
public enum AccessScope: Int, Comparable, CaseIterable, Sendable {
    /// Run queries and get pictures.
    case read
    /// Also import, edit, move and delete photos.
    case write
    /// Also create, rename and delete streams.
    case admin

    /// Reads the word of a scope; `nil` for any other text.
    public init?(word: String) {
        guard let scope = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = scope
    }

    /// The word of the scope: `read`, `write` or `admin`.
    public var word: String { "\(self)" }

    /// Whether one scope is included in the other.
    public static func < (left: AccessScope, right: AccessScope) -> Bool { left.rawValue < right.rawValue }
}
