import Foundation

/// A client that sends exactly the HTTP/2 frames of a test, through `openssl s_client`.
package final class HTTP2Client: Sendable {
    /// A frame.
    package struct Frame {
        package let type: UInt8
        package let flags: UInt8
        package let stream: UInt32
        package let payload: [UInt8]

        package var text: String { String(decoding: payload, as: UTF8.self) }

        /// The code of a RST_STREAM or GOAWAY.
        package var code: UInt32? {
            let bytes = type == 3 ? payload.prefix(4) : type == 7 ? payload.dropFirst(4).prefix(4) : []
            return bytes.isEmpty ? nil : bytes.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The type of a frame.
    package enum Kind: UInt8 {
        case data, headers, priority, reset, settings, promise, ping, goAway, window, continuation
    }

    private let process = Process()
    private let input = Pipe()
    /// The descriptor of a file without a name, which receives the bytes from the server.
    private let output: Int32

    /// Connects, and sends the preface and settings, unless `isBegun` is `false`.
    package init(port: Int, host: String = "127.0.0.1", settings: [UInt8] = [], isBegun: Bool = true) throws {
        var name = Array("\(NSTemporaryDirectory())/http2-XXXXXX".utf8CString)
        output = mkstemp(&name)
        guard output >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(name)
        _ = fcntl(output, F_SETFD, FD_CLOEXEC)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl", "s_client", "-connect", "\(host):\(port)", "-alpn", "h2", "-quiet"]
        (process.standardInput, process.standardOutput) = (input, FileHandle(fileDescriptor: output))
        process.standardError = FileHandle.nullDevice
        try process.run()
        signal(SIGPIPE, SIG_IGN)
        guard isBegun else { return }
        send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
        send(.settings, payload: settings)
    }

    deinit {
        // SIGTERM may be ignored, as in the tests' own process, and the server would wait for its client when it ends.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(output)
    }

    /// Whether the server has closed the connection, with which the program ends.
    package var isEnded: Bool { !process.isRunning }

    /// The bytes that have arrived; reading them does not move the place at which the program writes.
    private var received: [UInt8] {
        var status = stat()
        guard fstat(output, &status) == 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = unsafe pread(output, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The frames that have arrived completely.
    package var frames: [Frame] {
        var rest = received[...]
        var frames: [Frame] = []
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let payload = Array(rest.dropFirst(9).prefix(length))
            frames.append(Frame(type: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }

    /// Returns the frames of a kind, of one request if its stream is given.
    package func frames(_ kind: Kind, of stream: UInt32? = nil) -> [Frame] {
        frames.filter { $0.type == kind.rawValue && (stream == nil || $0.stream == stream) }
    }

    /// Returns the received part of an answer's body.
    package func body(of stream: UInt32) -> String {
        String(decoding: frames(.data, of: stream).flatMap(\.payload), as: UTF8.self)
    }

    /// Sends bytes.
    package func send(_ bytes: [UInt8]) {
        // The server may have closed the connection.
        try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
    }

    /// Sends a frame.
    package func send(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
        send(Self.frame(kind, flags: flags, stream: stream, payload: payload))
    }

    /// Sends the head of a request, without a body unless `hasBody` is set.
    package func request(
        _ path: String, on stream: UInt32, method: String = "GET", fields: [(String, String)] = [],
        hasBody: Bool = false
    ) {
        send(.headers, flags: hasBody ? 4 : 5, stream: stream, payload: Self.head(path, method: method, fields: fields))
    }

    /// Acknowledges the settings of the server, which apply from then on; returns whether they have arrived.
    package func acknowledgeSettings() -> Bool {
        guard eventually({ !frames(.settings).isEmpty }) else { return false }
        send(.settings, flags: 1)
        return true
    }

    /// Returns the bytes of a frame.
    package static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind.rawValue, flags]
            + bytes(of: stream) + payload
    }

    /// Returns the four bytes of a number.
    package static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns the fields of a head, without compression.
    package static func head(_ path: String, method: String = "GET", fields: [(String, String)] = []) -> [UInt8] {
        head(of: [(":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost")] + fields)
    }

    /// Returns the bytes of a head with any fields, without compression.
    package static func head(of fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0.0) + text($0.1) }
    }

    /// A text with its length, a number with a prefix of 7 bits.
    private static func text(_ text: String) -> [UInt8] {
        var (rest, length) = (text.utf8.count, [UInt8]())
        if rest < 127 {
            length = [UInt8(rest)]
        } else {
            length = [127]
            rest -= 127
            while rest >= 128 {
                length.append(UInt8(rest & 127 | 128))
                rest >>= 7
            }
            length.append(UInt8(rest))
        }
        return length + Array(text.utf8)
    }
}
