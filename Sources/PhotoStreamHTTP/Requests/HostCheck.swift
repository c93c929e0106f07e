/// Which hosts this server answers for: names of this machine only, so that no page of somebody else's can have its own
/// name point here and read what it gets (DNS rebinding).
enum HostCheck {
    /// Refuses other hosts.
    ///
    /// - Parameter authority: The field `Host`: a name and maybe a port.
    /// - Throws: ``Problem`` for a missing or foreign host.
    static func check(_ authority: String?) throws(Problem) {
        guard let authority, !authority.isEmpty else {
            throw Problem(.badHost, "the field Host is missing")
        }
        guard !authority.utf8.contains(UInt8(ascii: ",")), let name = name(in: authority) else {
            throw Problem(.badHost, "the field Host is \"\(authority)\", which is no host")
        }
        guard names.contains(name) else {
            throw Problem(.misdirected, "this server answers for localhost only, not for \"\(authority)\"")
        }
    }

    private static let names: Set<String> = ["localhost", "localhost.", "127.0.0.1", "[::1]"]

    /// The name without the port; `nil` where the port is no number.
    private static func name(in authority: String) -> String? {
        // By bytes: to find characters takes ten times as long, and both signs are one byte.
        let bytes = authority.utf8
        let end = bytes.lastIndex(of: UInt8(ascii: "]")).map { bytes.index(after: $0) } ?? bytes.startIndex
        guard let colon = bytes[end...].lastIndex(of: UInt8(ascii: ":")) else { return authority.lowercased() }
        let port = bytes[colon...].dropFirst()
        guard port.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return bytes[..<colon].text.lowercased()
    }
}
