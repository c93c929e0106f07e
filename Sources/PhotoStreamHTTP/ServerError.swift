/// Why the server cannot run, in one sentence.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another program listens on the port.
    case portTaken(Int)
    /// The port may not be used by this user.
    case portForbidden(Int)
    /// A setting is no number or out of range.
    case invalidSetting(String, value: String, range: ClosedRange<Int>)
    /// A text is no origin of pages.
    case invalidOrigin(String)

    /// The sentence.
    public var description: String {
        switch self {
        case .portTaken(let port): "port \(port) is taken by another program; choose another one with --port"
        case .portForbidden(let port): "port \(port) may not be used by this user; choose one from 1024 on with --port"
        case .invalidSetting(let name, let value, let range):
            "\(name) is \"\(value)\", but must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .invalidOrigin(let text):
            "\"\(text)\" is no origin, which is a scheme, a host and maybe a port, such as http://localhost:5173"
        }
    }
}
