import Foundation
import PhotoStreamTestSupport
import Testing

/// The built command serving a file, as a process.
final class ServedFile {
    /// The address on which it listens: `http://127.0.0.1:PORT`.
    let address: String
    private let process = Process()
    private let errors = Pipe()
    private let output: FileHandle

    /// Starts it on a free port and waits until it listens.
    ///
    /// It answers without tokens unless the test needs them, and may have `openFiles` files open.
    init(
        in folder: URL, database: String = "photostream.sqlite", needsTokens: Bool = false, _ arguments: String...,
        openFiles: Int? = nil, environment: [String: String] = [:]
    ) throws {
        let output = Pipe()
        let arguments = ["serve", "--port", "0", "--database", database] + (needsTokens ? [] : ["--open"]) + arguments
        if let openFiles {
            process.executableURL = URL(filePath: "/bin/sh")
            let limited = "ulimit -n \(openFiles); exec \"$0\" \"$@\""
            process.arguments = ["-c", limited, try Command.binary().path] + arguments
        } else {
            (process.executableURL, process.arguments) = (try Command.binary(), arguments)
        }
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        self.output = output.fileHandleForReading
        address = Self.line(of: self.output)
    }

    /// Reads the next line of its output.
    func nextLine() -> String { Self.line(of: output) }

    private static func line(of output: FileHandle) -> String {
        var bytes: [UInt8] = []
        while let byte = (try? output.read(upToCount: 1))?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Its port.
    var port: String { address.split(separator: ":").last.map(String.init) ?? "" }

    /// Whether it runs.
    var isRunning: Bool { process.isRunning }

    /// The peak memory so far, in bytes; `nil` if the system does not report it.
    var peakMemory: Int? {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split { !$0.isNumber }.first.flatMap { Int($0) }.map { $0 * 1_024 }
    }

    /// The number of files and sockets that it has open.
    var openFileCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count) ?? 0
    }

    /// The processor time used so far, in seconds.
    var processorSeconds: Double {
        let stat = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        // After the name, which may contain spaces, the 12th and 13th fields are hundredths of a second.
        let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) / 100 }
    }

    /// Sends a request on a new connection without reading the response.
    ///
    /// - Returns: The socket, which the caller closes.
    func ask(_ target: String) -> Int32 {
        send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    /// Sends a request on a new connection and reads the response to its end.
    static func fetch(_ target: String, from port: String) {
        let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let descriptor = send(request, to: port)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
    }

    /// Sends requests on a new connection.
    ///
    /// - Returns: The socket, which the caller closes.
    func send(_ requests: String) -> Int32 { Self.send(requests, to: port) }

    private static func send(_ requests: String, to port: String) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port)?.bigEndian ?? 0
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let bytes = Array(requests.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return descriptor
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits for its end, and kills it after a minute.
    func end() -> (status: Int32, errors: String) {
        if !eventually({ !process.isRunning }) { signal(SIGKILL) }
        process.waitUntilExit()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, text)
    }

    /// Asks with `curl`, as a person does.
    func curl(_ target: String, _ arguments: String...) throws -> String {
        let curl = Process()
        let output = Pipe()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        // A server that does not answer is a failure, not a test without end.
        curl.arguments = ["--silent", "--globoff", "--max-time", "300"] + arguments + [address + target]
        curl.standardOutput = output
        try curl.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        curl.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Asks for a JSON object.
    func json(_ target: String) throws -> [String: Any] {
        try Command.Outcome.object(try curl(target))
    }
}
