import Foundation
import Synchronization

/// Clients that follow a stream while another process writes to it, some of which never read.
struct EventLoad {
    let port: Int
    let file: String
    let stream: String
    /// The ids of photos, one of which each write changes.
    let photos: [String]
    let clients: Int
    let stalled: Int
    let writesPerSecond: Int
    let seconds: Int

    /// The result.
    struct Result {
        /// The number of changes that took that many milliseconds to a client, by milliseconds.
        var lags: [Int]
        var messages = 0
        var resyncs = 0
        var writes = 0
        /// The number of clients that never read whose connections the server has closed.
        var closedStalled = 0
        /// The number of other clients whose connections it has closed.
        var closedOthers = 0

        init() {
            lags = Array(repeating: 0, count: 60_000)
        }

        /// The lag, in milliseconds, that a part of all changes did not exceed.
        func lag(_ part: Double) -> Int {
            let all = lags.reduce(0, +)
            var sum = 0
            for (milliseconds, count) in lags.enumerated() {
                sum += count
                if Double(sum) >= part * Double(all) { return milliseconds + 1 }
            }
            return lags.count
        }
    }

    /// A connection that reads.
    private struct Follower {
        let descriptor: Int32
        /// The last revision.
        var seen: Int
        /// The beginning of a line, if that is all that has arrived.
        var rest: [UInt8] = []
        var isOpen = true
    }

    /// Runs the load.
    ///
    /// - Parameter state: The stream's state before.
    /// - Returns: The result.
    /// - Throws: A failure if the server or the writer cannot be reached.
    func run(since state: String) throws -> Result {
        let first = state.split(separator: ".").first.flatMap { Int($0) } ?? 0
        let idle = try (0..<stalled).map { _ in try follower(since: state, window: 4_096) }
        var followers = try (0..<clients - stalled).map { _ in try follower(since: state, window: 0) }
        defer { for follower in idle + followers { close(follower.descriptor) } }
        let count = writesPerSecond * seconds
        let times = WriteTimes(count: count)
        let group = DispatchGroup()
        let failure = Mutex<(any Error)?>(nil)
        group.enter()
        Thread.detachNewThread { [self] in
            defer { group.leave() }
            do { try write(count, noting: times) } catch { failure.withLock { $0 = error } }
        }
        var result = Result()
        result.writes = count
        var block = [UInt8](repeating: 0, count: 1 << 18)
        let deadline = ContinuousClock.now + .seconds(seconds + 5)
        var polls = followers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while ContinuousClock.now < deadline, followers.contains(where: { $0.isOpen && $0.seen < first + count }) {
            guard poll(&polls, nfds_t(polls.count), 100) > 0 else { continue }
            for index in polls.indices where polls[index].revents != 0 {
                let length = recv(followers[index].descriptor, &block, block.count, Int32(MSG_DONTWAIT))
                guard length > 0 else {
                    guard length == 0 || errno != EAGAIN else { continue }
                    followers[index].isOpen = false
                    polls[index].fd = -1
                    result.closedOthers += 1
                    continue
                }
                take(block[..<length], to: &followers[index], first: first, times: times, result: &result)
            }
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        // The server's timeout is 10 s. Looking is reading, so it comes last.
        sleep(UInt32(max(0, 15 - seconds)))
        result.closedStalled = idle.filter { Self.isClosed($0.descriptor) }.count
        return result
    }

    /// Finds the ids of events among bytes, and records the lags of the changes up to each.
    private func take(
        _ bytes: ArraySlice<UInt8>, to follower: inout Follower, first: Int, times: WriteTimes, result: inout Result
    ) {
        let now = ContinuousClock.now
        let all = follower.rest + bytes
        var rest: [UInt8] = []
        all.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return }
            var start = 0
            // A line begins after each line break; data have none.
            while let found = memchr(base + start, 10, all.count - start) {
                start = UnsafeRawPointer(found) - base + 1
                let line = UnsafeRawBufferPointer(rebasing: all[start...].prefix(24))
                if line.starts(with: "event: resync".utf8) { result.resyncs += 1 }
                guard line.starts(with: "id: ".utf8) else { continue }
                let digits = line.dropFirst(4).prefix { (0x30...0x39).contains($0) }
                // The number may go on in the next bytes.
                guard digits.endIndex < line.endIndex else { break }
                let id = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                guard id > follower.seen else { continue }
                result.messages += 1
                for write in follower.seen + 1...id {
                    guard let time = times[write - first - 1] else { continue }
                    let lag = Int((now - time) / .milliseconds(1))
                    result.lags[min(max(0, lag), result.lags.count - 1)] += 1
                }
                follower.seen = id
            }
            // The last line, if its first bytes do not show its field yet.
            if all.count - start < 24 { rest = [10] + all[start...] }
        }
        follower.rest = rest
    }

    /// Writes by the `sqlite3` shell, each write a transaction, evenly over the time.
    private func write(_ count: Int, noting times: WriteTimes) throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        // The settings of our own connections.
        let settings = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 32768"
        process.arguments = ["-cmd", ".timeout 5000", "-cmd", settings, file]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let start = ContinuousClock.now
        for number in 0..<count {
            let due = start + .seconds(Double(number) / Double(writesPerSecond))
            let rest = due - .now
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
            times.note(number)
            let photo = photos[number % photos.count]
            let sql = "UPDATE photo SET caption = 'caption \(number)' WHERE externalId = '\(photo)';\n"
            try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func follower(since state: String, window: Int32) throws -> Follower {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if window > 0 {
            var window = window
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = Array(
            "GET /v1/streams/\(stream)/events?since=\(state) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
        var head = [UInt8](repeating: 0, count: 4_096)
        guard connected == 0, send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure(description: "no server listens on port \(port)")
        }
        let length = recv(descriptor, &head, head.count, 0)
        guard length > 12, String(decoding: head[..<12], as: UTF8.self) == "HTTP/1.1 200" else {
            let text = String(decoding: head[..<max(0, length)], as: UTF8.self)
            throw Failure(description: "a client was refused: \(text)")
        }
        return Follower(
            descriptor: descriptor, seen: state.split(separator: ".").first.flatMap { Int($0) } ?? 0)
    }

    /// Whether the server has closed a connection: the bytes that have arrived are read first.
    private static func isClosed(_ descriptor: Int32) -> Bool {
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&readable, 1, 500) > 0 else { return false }
            if recv(descriptor, &block, block.count, 0) <= 0 { return true }
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

/// The times at which writes were sent, by their numbers.
private final class WriteTimes: Sendable {
    private let times: Mutex<[ContinuousClock.Instant?]>

    init(count: Int) {
        times = Mutex(Array(repeating: nil, count: count))
    }

    subscript(number: Int) -> ContinuousClock.Instant? {
        times.withLock { $0.indices.contains(number) ? $0[number] : nil }
    }

    func note(_ number: Int) {
        times.withLock { $0[number] = .now }
    }
}
