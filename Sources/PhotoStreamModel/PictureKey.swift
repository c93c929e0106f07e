/// The key of a picture's thumbnails: equal for equal files in the same orientation.
///
/// Its text has 22 characters, the base64url alphabet of RFC 4648 without padding.
public struct PictureKey: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes.
    public static let byteCount = 16

    private let high: UInt64
    private let low: UInt64

    /// Creates a key from its 16 bytes; `nil` for another number of bytes.
    ///
    /// Not generic: a page reads a hundred of them, and other modules would run an unspecialized copy.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        (high, low) = (number(bytes.prefix(8)), number(bytes.dropFirst(8)))
    }

    /// Reads ``description``; `nil` for any other text.
    public init?(_ text: String) {
        guard let bytes = Base64URL.decoded(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The bytes.
    public var bytes: [UInt8] {
        [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }

    /// The text.
    public var description: String { Base64URL.encoded(bytes) }
}
