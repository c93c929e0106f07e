/// What a photo's location names.
enum PictureLocation: Equatable {
    /// An address elsewhere, ready to be sent to: ASCII, http or https, without credentials.
    case remote(String)
    /// A path from the top of the file system.
    case absolute(String)
    /// A path from some root.
    case relative(String)

    /// Reads a location as records have it: an address, a `file:` address, or a path.
    ///
    /// A path is taken as it is, `%2F` in it is three characters. A `file:` address is decoded once. `nil` comes of an
    /// address that nobody is sent to and that names no file here.
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
    /// - Parameter rootPaths: What the root is called, absolute.
    /// - Returns: `nil` where it is not beneath it.
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
    /// A `..` stays: what it means is the kernel's to say.
    private static func parts(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }
    }

    /// The scheme in lower case where a text is an address: with two slashes behind it, or `file:` with one.
    ///
    /// What else has a colon may be the name of a file.
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
        var bytes: [UInt8] = []
        var encoded = rest.utf8.makeIterator()
        while let byte = encoded.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = encoded.next().flatMap(digit), let low = encoded.next().flatMap(digit) else { return nil }
            // A slash or a NUL is part of no name.
            guard high << 4 | low != UInt8(ascii: "/"), high << 4 | low != 0 else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
