import NIOCore
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// A message of a stream of events.
///
/// Source: the HTML standard, section "Server-sent events".
enum EventMessage {
    /// The state of the stream: the first message for a client that has named no revision, or the current one.
    case state(Revision)
    /// The changes since the revision that the client has seen.
    case change(ChangesAnswer)
    /// The changes are not known or too many: the client reads the stream again.
    case resync(Revision)
    /// Thumbnails became ready.
    case pictures(Revision)
    /// The answer ends, and the client connects again.
    case bye
    /// Nothing: keeps proxies from closing the connection, and finds clients that are gone.
    case heartbeat

    /// The message as it is sent.
    var bytes: [UInt8] { bytes { $0 } }

    /// The message with other data.
    ///
    /// - Parameter shown: Receives the data and returns what is sent of them.
    /// - Returns: The message as it is sent.
    /// - Throws: The errors of `shown`.
    func bytes(showing shown: ([UInt8]) throws -> [UInt8]) rethrows -> [UInt8] {
        switch self {
        case .state(let revision):
            Self.event("state", id: revision, data: try shown(Self.object("revision", of: revision, withState: true)))
        case .change(let answer):
            Self.event("change", id: answer.revision, data: try shown(JSONWriter.bytes { $0.value(answer) }))
        case .resync(let revision):
            Self.event("resync", id: revision, data: try shown(Self.object("revision", of: revision, withState: true)))
        case .pictures(let revision):
            Self.event("pictures", data: try shown(Self.object("pictureRevision", of: revision)))
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

    private static func object(_ name: StaticString, of revision: Revision, withState: Bool = false) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.object { writer in
                writer.key(name)
                writer.value(revision.rawValue)
                if withState { writer.member("state", value: revision.state) }
            }
        }
    }
}

/// The request of a client that follows a stream.
struct EventRequest {
    /// The stream.
    let stream: StreamName
    /// The revision that the client has seen; `nil` if it has named none.
    let since: Revision?
    /// Whether the client has followed the stream before.
    let isReconnection: Bool
    /// The rights of the client: its answer ends with the token.
    let grant: AccessGrant
}
