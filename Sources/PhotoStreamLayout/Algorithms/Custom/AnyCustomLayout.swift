/// A custom layout of whatever type.
public struct AnyCustomLayout: Hashable, Sendable {
    /// The longest rest of a state, in bytes.
    public static let longestRest = 1_024

    /// The layout.
    public let base: any CustomLayout

    /// Wraps a layout.
    public init(_ base: some CustomLayout) {
        self.base = base
    }

    /// Whether both are of one type and equal.
    public static func == (left: AnyCustomLayout, right: AnyCustomLayout) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    /// Hashes the layout.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(base))
    }

    /// Whether the name can stand in a key's text.
    var hasValidName: Bool {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.:-".utf8)
        return (1...200).contains(base.name.utf8.count) && base.name.utf8.allSatisfy(allowed.contains)
    }
}
