import NIOCore
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// A message of a stream of events.
///
/// Source: the HTML standard, section "Server-sent events".
enum EventMessage {
    /// The state of the stream: the first message for a client that has sent no revision, or the current one.
    case state(Revision)
    /// The changes since the revision that the client has seen.
    case change(ChangesAnswer)
    /// The changes are unknown or too many: the client must read the stream again.
    case resync(Revision)
    /// Thumbnails became ready.
    case pictures(Revision)
    /// The answer ends, and the client should connect again.
    case bye
    /// Nothing: keeps proxies from closing the connection, and detects clients that are gone.
    case heartbeat

    /// Returns the message as it is sent.
    ///
    /// - Parameter audience: The readers if they have the link of a share; `nil` for all others.
    /// - Returns: The bytes.
    func bytes(for audience: ShareAudience? = nil) -> [UInt8] {
        switch self {
        case .state(let revision):
            Self.event("state", id: revision, data: Self.object(for: revision))
        case .change(let answer):
            Self.event("change", id: answer.revision, data: JSONWriter.bytes(for: audience) { $0.value(answer) })
        case .resync(let revision):
            Self.event("resync", id: revision, data: Self.object(for: revision))
        case .pictures(let revision):
            Self.event("pictures", data: Self.json(["pictureRevision": revision.rawValue]))
        case .bye: Self.event("bye", data: Array("{}".utf8))
        case .heartbeat: Array(":\n\n".utf8)
        }
    }

    /// Returns the first bytes of an answer: the time after which a client connects again.
    static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

    /// Writes the fields of a message; the data are JSON without line breaks.
    private static func event(_ name: String, id: Revision? = nil, data: [UInt8]) -> [UInt8] {
        var bytes = Array("event: \(name)\n".utf8)
        if let id { bytes += "id: \(id.state)\n".utf8 }
        bytes += "data: ".utf8
        bytes += data
        bytes += "\n\n".utf8
        return bytes
    }

    private static func object(for revision: Revision) -> [UInt8] {
        json(["revision": revision.rawValue, "state": revision.state])
    }

    private static func json(_ object: JSONMembers) -> [UInt8] { JSONWriter.bytes { $0.value(object) } }
}

/// The request of a client that follows a stream.
struct EventRequest {
    let stream: StreamName
    /// The revision that the client has seen; `nil` if it has sent none.
    let since: Revision?
    /// Whether the client has followed the stream before.
    let isReconnection: Bool
    /// The rights of the client: its answer ends when the token does.
    let grant: AccessGrant
}
