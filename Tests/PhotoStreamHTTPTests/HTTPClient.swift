import Foundation

/// A client over a plain socket, which sends exactly the bytes that a test gives it.
struct HTTPClient {
    /// An answer.
    struct Answer {
        let status: Int
        /// By lower-case names; several of one name joined by commas.
        let fields: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as a JSON object; empty if it is not one.
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
        }

        /// The body as JSON Lines.
        var jsonLines: [[String: Any]] {
            text.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }

        /// The last word of a problem document's type.
        var problem: String? {
            (json["type"] as? String).flatMap { $0.split(separator: ":").last.map(String.init) }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    /// The address of this machine from which it connects; `nil` for the usual one.
    var source: String?

    /// The same client at another address of this machine.
    func at(_ source: String) -> HTTPClient { HTTPClient(port: port, source: source) }

    /// Sends a request and waits for its answer, on a separate connection.
    func callAsFunction(
        _ method: String = "GET", _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> Answer {
        var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        all.merge(fields) { $1 }
        if let body { all["Content-Length"] = all["Content-Length"] ?? String(body.count) }
        let head = all.filter { $0.value != "" }.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        return try exchange(Array("\(method) \(target) HTTP/1.1\r\n\(head)\r\n".utf8) + (body ?? []), to: method)
    }

    /// Sends bytes and reads one answer.
    func exchange(_ bytes: [UInt8], to method: String = "GET") throws -> Answer {
        let descriptor = try connected()
        defer { close(descriptor) }
        try Self.write(bytes, to: descriptor)
        return try Self.answer(Self.readAnswer(descriptor), to: method)
    }

    /// Reads to the end, or the first event of a stream of events, which has no end.
    private static func readAnswer(_ descriptor: Int32) -> [UInt8] {
        let (type, event) = (Array("text/event-stream\r\n".utf8), Array("\nevent: ".utf8))
        var bytes: [UInt8] = []
        while true {
            let more = readAll(descriptor, atLeast: 1)
            bytes += more
            if more.isEmpty || bytes.prefix(2_000).contains(type) && bytes.contains(event) { return bytes }
        }
    }

    /// A connection to the server; `window` bytes are taken in before they are read, 0 for as many as usual.
    func connected(window: Int32 = 0) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if window > 0 {
            var window = window
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        if let source {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr.s_addr = inet_addr(source)
            let isBound = withUnsafePointer(to: &own) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard isBound == 0 else {
                close(descriptor)
                throw Failure(description: "no address \(source): \(String(cString: strerror(errno)))")
            }
        }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure(description: "no connection to port \(port): \(String(cString: strerror(errno)))")
        }
        var timeout = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // A server that refuses a body answers before it was sent to the end.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads to the end, or at least `minimum` bytes.
    static func readAll(_ descriptor: Int32, atLeast minimum: Int = .max) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < minimum {
            let count = recv(descriptor, &block, block.count, 0)
            // A process that was stopped and goes on finds its waiting calls interrupted.
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += block[..<count]
        }
        return bytes
    }

    /// Splits the bytes of a connection into answers to methods other than `HEAD`, all with their lengths.
    static func answers(_ bytes: [UInt8]) throws -> [Answer] {
        var answers: [Answer] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let head = rest[..<(rest.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? rest.endIndex)]
            let length = try answer(Array(head), to: "HEAD").fields["content-length"].flatMap { Int($0) } ?? 0
            let whole = rest.prefix(head.count + length)
            answers.append(try answer(Array(whole), to: "GET"))
            rest = rest[whole.endIndex...]
        }
        return answers
    }

    private static func answer(_ bytes: [UInt8], to method: String) throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: separator) else {
            throw Failure(description: "no answer but \(bytes.count) bytes")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.merge([line[..<colon].lowercased(): String(value)]) { $0 + ", " + $1 }
        }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let body = Array(bytes[end.upperBound...])
        if method != "HEAD", let length = fields["content-length"].flatMap({ Int($0) }), length != body.count {
            throw Failure(description: "\(body.count) bytes of \(length)")
        }
        return Answer(status: status, fields: fields, body: body)
    }
}
