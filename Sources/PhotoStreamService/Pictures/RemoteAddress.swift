/// An address that a client may be sent to.
struct RemoteAddress: Equatable {
    /// What goes into a field of an answer: ASCII without blanks.
    let text: String

    /// The longest address; servers and clients refuse longer fields.
    private static let maximumByteCount = 8_000

    /// Checks an address and writes what is not ASCII, and what no address may hold, as escapes.
    ///
    /// Whatever programs read differently is refused rather than mended: a backslash before the path, a missing host,
    /// control characters. `nil` comes of that, of what is not http or https, and of credentials.
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

    /// Whether an authority is a host, perhaps with a port, and nothing else.
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

    /// Escapes what an address may not hold; escapes that are there stay.
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
