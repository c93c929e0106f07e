import PhotoStreamModel

/// The target of a photo's location.
enum PictureLocation: Equatable {
    /// A valid address elsewhere: ASCII, http or https, without credentials.
    case remote(String)
    /// A path from the top of the file system.
    case absolute(String)
    /// A path from any root.
    case relative(String)

    /// Parses a location of a record: an address, a `file:` address, or a path.
    ///
    /// A path is used literally: `%2F` in it is three characters. A `file:` address is decoded once. The result is
    /// `nil` for an address to which no client is redirected and that does not refer to a local file.
    init?(_ text: String) {
        switch Self.scheme(of: text) {
        case "http", "https":
            guard let address = RemoteAddress(text) else { return nil }
            self = .remote(address.text)
        case "file":
            guard let path = Self.path(ofFileAddress: text) else { return nil }
            self = .absolute(path)
        case nil where text.hasPrefix("/"): self = .absolute(text)
        case nil: self = .relative(text)
        default: return nil
        }
    }

    /// The path of a location beneath a root.
    ///
    /// - Parameter rootPaths: The absolute paths of the root.
    /// - Returns: `nil` if it is not beneath the root.
    func path(beneath rootPaths: [String]) -> String? {
        switch self {
        case .remote: return nil
        case .relative(let path): return path
        case .absolute(let path):
            let parts = Self.parts(path)
            for root in rootPaths.map(Self.parts) where parts.starts(with: root) && parts.count > root.count {
                return parts.dropFirst(root.count).joined(separator: "/")
            }
            return nil
        }
    }

    /// The names in a path.
    ///
    /// A `..` is kept, because only the kernel can resolve it.
    private static func parts(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }
    }

    /// The scheme of an address in lower case: followed by two slashes, or `file:` with one.
    ///
    /// Any other text with a colon may be the name of a file.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.enumerated().allSatisfy { position, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                position > 0
            default: false
            }
        }
        guard isScheme, !scheme.isEmpty else { return nil }
        let rest = text[text.utf8.index(after: colon)...]
        return rest.hasPrefix("//") || scheme == "file" && rest.hasPrefix("/") ? scheme : nil
    }

    /// Source: RFC 8089, section 2.
    private static func path(ofFileAddress text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        var rest = text[text.index(after: colon)...]
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
            rest = rest.dropFirst(host.count)
        }
        guard rest.hasPrefix("/") else { return nil }
        // No name contains a slash or a NUL.
        return PercentEscapes.decoded(rest) { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}

/// An address to which a client may be redirected.
struct RemoteAddress: Equatable {
    /// The text of a header field: ASCII without blanks.
    let text: String

    /// The longest address; servers and clients refuse longer fields.
    private static let maximumByteCount = 8_000

    /// Checks an address and escapes characters that are not ASCII or not allowed in addresses.
    ///
    /// Addresses that programs parse differently are refused rather than corrected: a backslash before the path, a
    /// missing host, control characters. The result is `nil` for these, for other schemes than http or https, and for
    /// credentials.
    ///
    /// - Parameter text: Begins with a scheme and two slashes.
    ///
    /// Source: RFC 3986, sections 2 and 3.
    init?(_ text: String) {
        guard let start = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<start.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[start.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard Self.isHost(authority),
            !rest.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        let written = scheme + "://" + Self.escaped(authority) + Self.escaped(rest[authority.endIndex...])
        guard written.utf8.count <= Self.maximumByteCount else { return nil }
        self.text = written
    }

    /// Whether an authority is only a host, optionally with a port.
    private static func isHost(_ authority: Substring) -> Bool {
        guard !authority.contains(where: { "@\\ \"<>^`{|}".contains($0) }) else { return false }
        var host = authority
        if host.hasPrefix("[") {
            guard let close = host.firstIndex(of: "]") else { return false }
            let inner = host[host.index(after: host.startIndex)..<close]
            guard inner.contains(":"), inner.allSatisfy({ $0.isHexDigit && $0.isASCII || $0 == ":" || $0 == "." })
            else {
                return false
            }
            host = host[host.index(after: close)...]
            return host.isEmpty || isPort(host)
        }
        let name = host.prefix { $0 != ":" }
        guard !name.isEmpty, !name.contains(where: { "[]".contains($0) }) else { return false }
        return name.endIndex == host.endIndex || isPort(host[name.endIndex...])
    }

    /// Whether a text is a colon and the digits of a port.
    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isWholeNumber }
            && text.count <= 6
    }

    /// Escapes characters that are not allowed in an address; existing escapes are kept.
    private static func escaped(_ text: Substring) -> String {
        var result = ""
        for byte in text.utf8 {
            let isAllowed = byte > 0x20 && byte < 0x7F && !forbidden.contains(byte)
            if isAllowed {
                result.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static let forbidden = Set(#""<>\^`{|}"#.utf8)
}
