/// The name of a stream: 1 to 128 bytes of UTF-8 without `/` and control characters, not blank.
public struct StreamName: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of UTF-8 that a name may have.
    public static let maximumByteCount = 128

    /// The name as text.
    public let rawValue: String

    /// Checks and wraps a name.
    ///
    /// - Throws: ``ModelError`` naming what is wrong with the text.
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

    /// Wraps text that was checked when it was stored.
    package init(stored text: String) {
        self.rawValue = text
    }

    /// Bytes decide, as in the database: Swift's strings are equal where Unicode calls them equivalent.
    public static func == (left: StreamName, right: StreamName) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The name as text.
    public var description: String { rawValue }
}
