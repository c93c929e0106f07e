/// The version of a stream: the key of its last row in the change log, and that row's tag.
///
/// The key grows with every committed write to the stream, not always by 1. After a restore, after a failover or in a
/// copy, a key may be used again, but never with the same tag, a random number: together they name one content for
/// ever. A stream that was never written to has revision 0, which needs no tag.
///
/// Revisions are ordered by their keys; if those of two histories are equal, neither is earlier.
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The key of the change-log row.
    public let rawValue: Int64
    /// The tag of the change-log row; `nil` for revision 0, and for a key that was given alone, which may belong to any
    /// history.
    public let tag: Int64?

    /// Creates a revision.
    ///
    /// - Parameters:
    ///   - rawValue: The key.
    ///   - tag: The tag; `nil` if it is unknown.
    public init(_ rawValue: Int64, tag: Int64? = nil) {
        self.rawValue = rawValue
        self.tag = rawValue == 0 ? nil : tag
    }

    /// Creates a revision from ``state``, or from the key alone; `nil` for any other text, such as a negative number.
    ///
    /// - Parameter text: The text: the key, or the key, a dot and the tag.
    public init?(state text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let key = parts.first, let number = Int64(key), number >= 0, String(number) == key
        else {
            return nil
        }
        guard parts.count == 2 else {
            self.init(number)
            return
        }
        guard number > 0, let tag = UInt64(parts[1], radix: 36), String(tag, radix: 36) == parts[1] else { return nil }
        self.init(number, tag: Int64(bitPattern: tag))
    }

    /// Whether one revision is earlier than the other.
    public static func < (left: Revision, right: Revision) -> Bool { left.rawValue < right.rawValue }

    /// The key and the tag as text, such as `8095.k3f9`: the form in which clients keep a revision.
    public var state: String {
        guard let tag else { return String(rawValue) }
        return "\(rawValue).\(String(UInt64(bitPattern: tag), radix: 36))"
    }

    /// The key as text.
    public var description: String { String(rawValue) }
}
