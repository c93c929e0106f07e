import Crypto
public import PhotoStreamModel
import PhotoStreamStorage

/// A secret with which a program or a person uses the server from another machine: 256 random bits as text.
///
/// It is shown once, when it is created; the file contains only its hash. The secret of a share link is one, too.
public struct AccessToken: Sendable {
    /// The uses of a token; a token for one use is refused for the others.
    enum Kind {
        /// A program or a person sends it in a field.
        case request
        /// It is part of the addresses of a share.
        case share
        /// A browser sends it in a cookie, or it is part of the address of a sign-in link.
        case session

        /// The beginning of every token, by which people and secret scanners recognise one.
        ///
        /// Addresses are as short as possible.
        fileprivate var prefix: String { self == .request ? "photostream_" : "" }
    }

    private static let byteCount = 32

    /// The token as a client sends it.
    public let text: String
    private let bytes: [UInt8]

    /// Creates a token from the system's random numbers.
    init(_ kind: Kind = .request) {
        var random = SystemRandomNumberGenerator()
        bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        text = kind.prefix + Base64URL.encoded(bytes)
    }

    /// Reads a token; `nil` for any other text.
    public init?(_ text: String) {
        self.init(text, as: .request)
    }

    /// Reads the secret of a share from its address; `nil` for any other text.
    public init?(share text: String) {
        self.init(text, as: .share)
    }

    /// Reads the secret of a session or a sign-in link; `nil` for any other text.
    init?(session text: String) {
        self.init(text, as: .session)
    }

    private init?(_ text: String, as kind: Kind) {
        guard text.hasPrefix(kind.prefix), let bytes = Base64URL.decoded(String(text.dropFirst(kind.prefix.count))),
            bytes.count == Self.byteCount
        else { return nil }
        (self.text, self.bytes) = (text, bytes)
    }

    /// The hash by which the file recognises the token.
    ///
    /// A fast hash suffices, since 2^256 tokens cannot be tried.
    var hash: SHA256Digest { SHA256.hash(data: bytes) }
}

extension SHA256Digest {
    /// The first eight bytes, the first byte highest.
    var start: Int64 { Int64(bitPattern: prefix(8).reduce(0) { $0 << 8 | UInt64($1) }) }
}

/// A token without its secret, for lists.
public struct TokenSummary: Hashable, Sendable {
    /// The name, unique in the file.
    public let name: String
    /// The right that it grants.
    public let scope: AccessScope
    /// The only stream that it applies to; `nil` for all.
    public let stream: StreamName?
    /// The time of its creation, in milliseconds since 1970.
    public let createdAtMilliseconds: Int64
    /// The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    public let expiresAtMilliseconds: Int64?
    /// Whether that time is over.
    public let isExpired: Bool

    init(_ row: TokenRow, now: Int64) {
        (name, scope, stream) = (row.name, row.scope, row.stream)
        (createdAtMilliseconds, expiresAtMilliseconds) = (row.createdAtMilliseconds, row.expiresAtMilliseconds)
        isExpired = !row.isValid(at: now)
    }
}

extension TokenRow {
    /// Whether the token has not expired.
    func isValid(at now: Int64) -> Bool { expiresAtMilliseconds.map { $0 > now } ?? true }
}

/// The two kinds of access that have a name.
public enum AccessKind: String, Sendable {
    /// A token.
    case token
    /// A share.
    case share
}

/// A reason for refusing to create or revoke a token or a share, in one sentence that names it.
public enum AccessError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A token or a share has that name already.
    case exists(AccessKind, String)
    /// No token or no share has that name.
    case unknown(AccessKind, String)
    /// A name is empty or too long, or contains control characters.
    case invalidName(AccessKind, String)
    /// It would have expired before it was created.
    case expired(AccessKind, atMilliseconds: Int64)
    /// The right to create and delete streams cannot be limited to one stream.
    case adminOfStream(String)

    /// The sentence.
    public var description: String {
        switch self {
        case .exists(let kind, let name):
            "there is a \(kind.rawValue) \"\(name)\" already; revoke it first, or choose another name"
        case .unknown(let kind, let name):
            "there is no \(kind.rawValue) \"\(name)\"; `photostream \(kind.rawValue)s` lists them"
        case .invalidName(let kind, let name):
            "\"\(name)\" is not a name for a \(kind.rawValue): 1 to 128 bytes without control characters"
        case .expired(let kind, let time):
            "the \(kind.rawValue) would expire at \(Moment.text(time)), which is in the past"
        case .adminOfStream(let stream):
            "a token for stream \"\(stream)\" alone cannot have the scope admin, which is for all streams"
        }
    }
}
