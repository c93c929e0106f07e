/// The name of a stream: 1 to 128 bytes of UTF-8 without `/` or control characters, not blank.
public struct StreamName: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length in bytes of UTF-8.
    public static let maximumByteCount = 128

    /// The name as text.
    public let rawValue: String

    /// Creates a validated name.
    ///
    /// - Throws: ``ModelError`` with the reason.
    public init(_ text: String) throws(ModelError) {
        guard !text.isEmpty else { throw ModelError("the stream name is empty") }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw ModelError("the stream name has \(text.utf8.count) bytes, more than \(Self.maximumByteCount)")
        }
        guard !text.utf8.contains(UInt8(ascii: "/")) else {
            throw ModelError("the stream name \"\(text)\" contains a slash")
        }
        guard !text.containsControlCharacter else {
            throw ModelError("the stream name contains a control character")
        }
        guard !text.isBlank else { throw ModelError("the stream name is blank") }
        guard text != ".", text != ".." else { throw ModelError("the stream name \"\(text)\" is not allowed") }
        self.rawValue = text
    }

    /// Wraps a name that was validated when it was stored.
    package init(stored text: String) {
        self.rawValue = text
    }

    /// Compares bytes, as SQLite does: Swift's strings also treat canonically equivalent texts as equal.
    public static func == (left: StreamName, right: StreamName) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The name as text.
    public var description: String { rawValue }
}

/// A photo's external id: unique within its stream and chosen by the photo's owner.
///
/// 1 to 512 bytes of UTF-8 without control characters, not `.` or `..`; `/` and `:` are allowed.
public struct PhotoID: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length in bytes of UTF-8.
    public static let maximumByteCount = 512

    /// The id as text.
    public let rawValue: String

    /// Creates a validated id.
    ///
    /// - Throws: ``ModelError`` with the reason.
    /// - Complexity: O(bytes).
    public init(_ text: String) throws(ModelError) {
        guard !text.isEmpty else { throw ModelError("the id is empty") }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw ModelError("the id has \(text.utf8.count) bytes, more than \(Self.maximumByteCount)")
        }
        guard text != ".", text != ".." else {
            throw ModelError("the id \"\(text)\" is not allowed: no address can end with it")
        }
        guard !text.containsControlCharacter else { throw ModelError("the id contains a control character") }
        self.rawValue = text
    }

    /// Wraps an id that was validated when it was stored.
    package init(stored text: String) {
        self.rawValue = text
    }

    /// Compares bytes, as SQLite does: Swift's strings also treat canonically equivalent texts as equal.
    public static func == (left: PhotoID, right: PhotoID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The id as text.
    public var description: String { rawValue }
}

extension String {
    /// Whether it contains a C0, C1 or DEL control character.
    var containsControlCharacter: Bool {
        // C1 controls are encoded as C2 80 ... C2 9F, so the previous byte decides.
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte < 0x20 || byte == 0x7F { return true }
            if previous == 0xC2, byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }
}
