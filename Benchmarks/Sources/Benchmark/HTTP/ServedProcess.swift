import Foundation

/// A server as a separate process.
final class ServedProcess {
    let port: Int
    private let process = Process()

    /// Starts a server that prints its address, or listens on a given port.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - arguments: Its arguments.
    ///   - port: The port on which it listens; `nil` if its first line ends with the port.
    /// - Throws: A failure if it does not listen.
    init(_ program: String, arguments: [String], port: Int? = nil) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        try Tool.start(process)
        if let port {
            self.port = port
            try Self.wait(for: port)
            return
        }
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1)?.first else {
                throw Tool.Failure(description: "\(program) has ended before it listened")
            }
            line.append(byte)
        }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        guard let port = text.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw Tool.Failure(description: "\(program) says \"\(text)\" in place of its address")
        }
        self.port = port
    }

    /// Ends the server and waits a while for its end.
    func stop() {
        process.terminate()
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while process.isRunning, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.02) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The processor time of the server and of the processes that it has started, in seconds.
    func processorTime() throws -> Double {
        let ticks = try processes().reduce(0) { $0 + $1.ticks }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory that the processes have for themselves that the server has started, in megabytes, all together.
    func ownMemoryOfStarted() throws -> Int {
        try processes().reduce(0) { sum, each in
            // A process may end meanwhile.
            each.id == process.processIdentifier ? sum : sum + ((try? Self.memory("RssAnon:", of: each.id)) ?? 0)
        }
    }

    /// The server, and the processes that it has started, with the ticks of the processor that each has taken.
    private func processes() throws -> [(id: Int32, ticks: Double)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            guard let id = Int32(name),
                let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return nil }
            // After the name: the state, the parent, and from the 12th on user and system time.
            let fields = text[end...].dropFirst(2).split(separator: " ")
            guard id == process.processIdentifier || Int32(fields[1]) == process.processIdentifier else { return nil }
            return (id, (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0))
        }
    }

    /// The most memory that the server has had, in megabytes.
    func peakMemory() throws -> Int { try Self.memory("VmHWM:", of: process.processIdentifier) }

    /// The current private memory of the server, in megabytes, without mapped files.
    func ownMemory() throws -> Int { try Self.memory("RssAnon:", of: process.processIdentifier) }

    private static func memory(_ name: String, of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }

    private static func wait(for port: Int) throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(5))
        while true {
            do {
                _ = try SocketClient(port: port)
                return
            } catch  where ContinuousClock.now < deadline {
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }
}
