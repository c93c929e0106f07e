import Foundation
import Testing

/// A client that follows a stream, over a plain socket.
final class EventReader {
    /// An event, or a block of fields without one.
    struct Event {
        var name: String?
        var id: String?
        var data = ""
        var retry: Int?
        /// Whether it is a comment.
        var isComment = false

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]) ?? [:]
        }

        /// The kinds and ids of the changes.
        var changes: [String] {
            (json["changes"] as? [[String: Any]] ?? []).map { "\($0["change"] ?? "") \($0["id"] ?? "")" }
        }
    }

    let status: Int
    let fields: [String: String]
    /// The time at which the last event was read.
    private(set) var readAt = ContinuousClock.now
    private let descriptor: Int32
    private var raw: [UInt8] = []
    private var body: [UInt8] = []
    private var isAtEnd = false

    /// Requests the events of a stream.
    init(
        _ client: HTTPClient, _ target: String = "/v1/streams/gallery/events", _ fields: [String: String] = [:],
        method: String = "GET"
    ) throws {
        descriptor = try client.connected()
        let head = fields.map { "\($0): \($1)\r\n" }.sorted().joined()
        try HTTPClient.write(
            Array("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(head)\r\n".utf8), to: descriptor)
        var found: [UInt8] = []
        let separator = Array("\r\n\r\n".utf8)
        while found.firstRange(of: separator) == nil {
            let more = HTTPClient.readAll(descriptor, atLeast: 1)
            guard !more.isEmpty else { throw HTTPClient.Failure(description: "no answer") }
            found += more
        }
        let end = try #require(found.firstRange(of: separator))
        let lines = String(decoding: found[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        self.fields = Dictionary(
            lines.dropFirst().map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
            }, uniquingKeysWith: { "\($0), \($1)" })
        raw = Array(found[end.upperBound...])
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next block, comments included; `nil` at the end of the answer.
    func nextBlock() -> Event? {
        // Problems have a length.
        guard status == 200 else { return nil }
        let separator = Array("\n\n".utf8)
        while true {
            if let end = body.firstRange(of: separator) {
                let text = String(decoding: body[..<end.lowerBound], as: UTF8.self)
                body.removeFirst(end.upperBound)
                readAt = .now
                return Self.event(text)
            }
            guard !isAtEnd, readChunk() else { return nil }
        }
    }

    /// Returns the next event; `nil` at the end of the answer.
    func next() -> Event? {
        let deadline = ContinuousClock.now + .seconds(60)
        while let block = nextBlock() {
            if block.name != nil { return block }
            // A server that does not end an answer goes on with comments for ever.
            guard ContinuousClock.now < deadline else {
                Issue.record("neither an event nor an end comes, only comments")
                return nil
            }
        }
        return nil
    }

    /// Returns the next event of a name; `nil` at the end of the answer.
    func next(_ name: String) -> Event? {
        while let event = next() {
            if event.name == name { return event }
        }
        return nil
    }

    /// Decodes the next chunk; `false` after the last one, and if the connection is closed.
    private func readChunk() -> Bool {
        let lineEnd = Array("\r\n".utf8)
        while true {
            if let end = raw.firstRange(of: lineEnd),
                let length = Int(String(decoding: raw[..<end.lowerBound], as: UTF8.self), radix: 16),
                raw.count >= end.upperBound + length + 2
            {
                body += raw[end.upperBound..<end.upperBound + length]
                raw.removeFirst(end.upperBound + length + 2)
                isAtEnd = length == 0
                return !isAtEnd
            }
            let more = HTTPClient.readAll(descriptor, atLeast: 1)
            guard !more.isEmpty else { return false }
            raw += more
        }
    }

    private static func event(_ text: String) -> Event {
        var event = Event()
        for line in text.split(separator: "\n") {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst().drop { $0 == " " }
            switch line[..<colon] {
            case "event": event.name = String(value)
            case "id": event.id = String(value)
            case "data": event.data += value
            case "retry": event.retry = Int(value)
            case "": event.isComment = true
            default: Issue.record("an unknown field: \(line)")
            }
        }
        return event
    }
}
