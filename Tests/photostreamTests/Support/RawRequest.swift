import Foundation

/// A request on its own connection, which may break off at any moment.
final class RawRequest {
    private let descriptor: Int32

    /// Connects and sends a request.
    ///
    /// - Returns: `nil` if there is no server.
    init?(_ head: String, body: [UInt8] = [], port: String) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (in_port_t(port) ?? 0).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let bytes = Array("\(head)\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8) + body
        guard isConnected, send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
    }

    deinit { close(descriptor) }

    /// Reads the answer to its end.
    ///
    /// - Returns: The status; `nil` if the connection breaks off before.
    func status() -> Int? {
        var (bytes, answer): ([UInt8], [UInt8]) = ([UInt8](repeating: 0, count: 1 << 16), [])
        while case let count = recv(descriptor, &bytes, bytes.count, 0), count > 0 { answer += bytes.prefix(count) }
        let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }
}
