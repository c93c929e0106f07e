/// A photo's external id: unique within its stream, chosen by whoever owns the photo.
///
/// 1 to 512 bytes of UTF-8 without control characters, not `.` or `..`; `/` and `:` are allowed.
public struct PhotoID: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of UTF-8 that an id may have.
    public static let maximumByteCount = 512

    /// The id as text.
    public let rawValue: String

    /// Checks and wraps an id.
    ///
    /// - Throws: ``ModelError`` naming what is wrong with the text.
    /// - Complexity: O(bytes).
    public init(_ text: String) throws(ModelError) {
        guard !text.isEmpty else { throw ModelError("the id is empty") }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw ModelError("the id has \(text.utf8.count) bytes, more than \(Self.maximumByteCount)")
        }
        guard text != ".", text != ".." else { throw ModelError("the id \"\(text)\" is not allowed") }
        guard !text.containsControlCharacter else { throw ModelError("the id contains a control character") }
        self.rawValue = text
    }

    /// Wraps text that was checked when it was stored.
    package init(stored text: String) {
        self.rawValue = text
    }

    /// Bytes decide, as in the database: Swift's strings are equal where Unicode calls them equivalent.
    public static func == (left: PhotoID, right: PhotoID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The id as text.
    public var description: String { rawValue }
}

extension String {
    /// Whether a C0, C1 or DEL control character occurs.
    var containsControlCharacter: Bool {
        // C1 controls are the two bytes C2 80 ... C2 9F, so the byte before decides.
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte < 0x20 || byte == 0x7F { return true }
            if previous == 0xC2, byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }
}
