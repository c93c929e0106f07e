/// The state of a stream as a number: the key of its last row in the change log.
///
/// It grows with every committed write to the stream; steps are not contiguous. 0 is a stream never written to.
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The key of the change-log row.
    public let rawValue: Int64

    /// Wraps a key.
    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Whether one lies before the other in ascending order.
    public static func < (left: Revision, right: Revision) -> Bool { left.rawValue < right.rawValue }

    /// The key as text.
    public var description: String { String(rawValue) }
}
