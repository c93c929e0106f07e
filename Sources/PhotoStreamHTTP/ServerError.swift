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
        }
    }
}
