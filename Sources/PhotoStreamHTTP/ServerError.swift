/// An error that keeps the server from running, in one sentence.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another program uses the port.
    case portTaken(Int)
    /// This user may not use the port.
    case portForbidden(Int)
    /// A setting is not a number or is out of range.
    case invalidSetting(String, value: String, range: ClosedRange<Int>)
    /// A text is not the origin of web pages.
    case invalidOrigin(String)
    /// A text is not an IP address.
    case invalidAddress(String)
    /// The machine does not have the address.
    case foreignAddress(ServerAddress)
    /// Other machines can reach the server, and their requests could be intercepted.
    case plainHTTP(ServerAddress)
    /// A file is not the certificate or its key.
    case invalidCertificate(String, reason: String)
    /// Other machines should reach the server, but no token would let them in.
    case noToken
    /// A server that answers without tokens must not be reachable from other machines.
    case openToOthers

    /// The sentence.
    public var description: String {
        switch self {
        case .portTaken(let port): "port \(port) is used by another program; choose another one with --port"
        case .portForbidden(let port): "this user may not use port \(port); choose 1024 or greater with --port"
        case .invalidSetting(let name, let value, let range):
            "\(name) is \"\(value)\", but must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .invalidOrigin(let text):
            "\"\(text)\" is not an origin; an origin is a scheme, a host and optionally a port, "
                + "such as http://localhost:5173"
        case .invalidAddress(let text): "\"\(text)\" is not an IP address such as 192.168.1.5, 0.0.0.0 or ::1"
        case .foreignAddress(let address): "this machine does not have the address \(address)"
        case .plainHTTP(let address):
            "other machines could reach \(address), and tokens and photos could be read on the way; use "
                + "--tls-certificate and --tls-key, a proxy server with TLS in front of 127.0.0.1, or --allow-plain-http"
        case .invalidCertificate(let path, let reason): "\"\(path)\" cannot be used for TLS: \(reason)"
        case .noToken:
            "other machines could reach the server, but the file has no token that would let them in; create one with "
                + "`photostream tokens create NAME --scope read`"
        case .openToOthers:
            "an open server answers every request without a token, so it listens on an address of this machine alone, and "
                + "has no other name and no proxy server; leave out --open"
        }
    }
}
