/// Where a page of a browser is from: a scheme, a host and a port, written as browsers write the field `Origin`.
///
/// Source: RFC 6454, section 6.2.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The text: lower case, without the port that the scheme has anyway.
    public let description: String

    /// Reads an origin.
    ///
    /// - Parameter text: Such as `http://localhost:5173`: no path, no wildcard, a host in ASCII letters.
    /// - Throws: ``ServerError/invalidOrigin(_:)``.
    public init(_ text: String) throws(ServerError) {
        let parts = text.lowercased().wholeMatch(
            of: /([a-z][a-z0-9+.\-]*):\/\/([a-z0-9._\-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/)
        guard let (_, scheme, host, port) = parts?.output, port.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true
        else { throw .invalidOrigin(text) }
        let number = port.flatMap { Int($0) }
        let isImplied = scheme == "http" && number == 80 || scheme == "https" && number == 443
        description = "\(scheme)://\(host)" + (number.flatMap { isImplied ? nil : ":\($0)" } ?? "")
    }
}
