import Foundation

/// A client over one connection that stays open.
final class SocketClient {
    /// An answer.
    struct Answer {
        let status: Int
        let tag: String
        let body: [UInt8]
    }

    private let descriptor: Int32
    private let port: Int
    private var buffer: [UInt8] = []
    private var block = [UInt8](repeating: 0, count: 1 << 16)

    /// Connects.
    init(port: Int) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Tool.Failure(description: "no server listens on port \(port)") }
        // A server that does not answer ends the benchmark.
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Asks and waits for the answer.
    func get(_ target: String, accept: String, tag: String? = nil) throws -> Answer {
        let condition = tag.map { "If-None-Match: \($0)\r\n" } ?? ""
        let request = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: \(accept)\r\n\(condition)\r\n"
        var bytes = Array(request.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Tool.Failure(description: "port \(port) has closed the connection") }
            bytes = bytes.dropFirst(count)
        }
        let separator = Array("\r\n\r\n".utf8)
        var end = buffer.firstRange(of: separator)
        while end == nil {
            try receive()
            end = buffer.firstRange(of: separator)
        }
        let head = String(decoding: buffer[..<(end?.lowerBound ?? 0)], as: UTF8.self)
        let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
        let length = status == 304 ? 0 : Int(Self.field("content-length", in: head)) ?? 0
        let start = end?.upperBound ?? 0
        while buffer.count < start + length { try receive() }
        let body = Array(buffer[start..<start + length])
        buffer.removeFirst(start + length)
        return Answer(status: status, tag: Self.field("etag", in: head), body: body)
    }

    /// An unused port.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard result == 0 else { throw Tool.Failure(description: "there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func receive() throws {
        let count = recv(descriptor, &block, block.count, 0)
        guard count > 0 else { throw Tool.Failure(description: "port \(port) does not answer") }
        buffer += block[..<count]
    }

    private static func field(_ name: String, in head: String) -> String {
        for line in head.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, sides[0].lowercased() == name else { continue }
            return sides[1].trimmingCharacters(in: .whitespaces)
        }
        return ""
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
