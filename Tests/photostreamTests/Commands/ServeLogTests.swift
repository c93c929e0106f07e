import Foundation
import PhotoStreamTestSupport
import Synchronization
import Testing

/// The length of the write-ahead log with constant readers, a client that always needs another layout, a writer, and
/// another program with an open read: for 5 seconds, or the value of `PHOTOSTREAM_OPEN_READ_SECONDS`.
@Suite struct ServeLogTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["PHOTOSTREAM_OPEN_READ_SECONDS"].flatMap(Int.init) ?? 5
    private static let photoCount = 30_000
    /// The documented maximum length.
    private static let bound = 256 << 20
    /// A length at which every program tries to empty the log.
    private static let longLog = 161 << 20
    private static let sentence = "another program's open read keeps the write-ahead log from being emptied"

    private let photostream: Command
    private var path: String { photostream.url("photostream.sqlite").path }

    init() throws {
        photostream = try Command()
        try photostream.makeManyPhotos(Self.photoCount)
    }

    @Test func `the log stays within its limit, and another program's open read is reported`() throws {
        let server = try ServedFile(in: photostream.folder)
        let (port, loads) = (server.port, Loads())
        for _ in 0..<12 { loads.begin { [port] _ in ServedFile.fetch("/v1/streams/many/photos?limit=5", from: port) } }
        loads.begin { [port] in ServedFile.fetch("/v1/streams/many/layout?width=\(500 + $0)", from: port) }
        loads.begin { [path, photostream] in try Self.write($0, to: path, photostream) }
        defer { loads.end() }
        // Without another program's read the log is emptied again and again.
        #expect(longestLog(whileEmptied: 2) < Self.bound)

        let holder = try FileHolder(path, kind: .read)
        let start = ContinuousClock.now
        // The probe answers from memory, and may still name the read of a writer that has ended: only a long log that the
        // holder reads stays long.
        #expect(eventually { logByteCount > Self.longLog })
        #expect(
            try eventually {
                let warning = try server.json("/readyz")["warning"] as? String
                return warning?.hasPrefix(Self.sentence) == true
            })
        let verify = try photostream("cache", "verify")
        #expect(verify.status == 0 && verify.errors.contains(Self.sentence), "\(verify.errors)")
        _ = eventually { start.duration(to: .now) > .seconds(Self.seconds) }
        let length = logByteCount
        try holder.release()
        // It shrinks while reads, folds and writes go on, and then stays short.
        #expect(longestLog(whileEmptied: 1) < length + Self.bound)
        #expect(eventually { logByteCount < Self.bound })
        #expect(longestLog(whileEmptied: 1) < Self.bound)
        #expect(try eventually { try server.json("/readyz")["warning"] == nil })
    }

    private var logByteCount: Int {
        (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
    }

    /// Waits until the log was begun again a number of times, and returns its maximum length.
    private func longestLog(whileEmptied count: Int) -> Int {
        var (longest, last, emptiedCount) = (0, beginning, 0)
        let isEmptied = eventually {
            let now = beginning
            if let now, now != last { emptiedCount += 1 }
            (longest, last) = (max(longest, logByteCount), now)
            return emptiedCount >= count
        }
        #expect(isEmptied, "the log has \(logByteCount) bytes")
        return longest
    }

    /// The number with which the log begins, which SQLite changes when it begins the log again, whether or not the file
    /// gets shorter; `nil` if the log is empty.
    ///
    /// Bytes 12 to 19 of the [header](https://sqlite.org/fileformat2.html#the_write_ahead_log).
    private var beginning: Data? {
        guard let file = FileHandle(forReadingAtPath: path + "-wal") else { return nil }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 20), header.count == 20 else { return nil }
        return header.suffix(8)
    }

    /// Writes some megabytes in one transaction of another program.
    private static func write(_ number: Int, to path: String, _ photostream: Command) throws {
        let first = number * 6_000 % photoCount
        _ = try ProcessRunner(folder: photostream.folder.path).sqlite(
            path, "UPDATE photo SET alt = hex(randomblob(600)) WHERE id BETWEEN \(first) AND \(first + 5999)")
    }
}

/// Loops that run on separate threads until they are ended.
private final class Loads: Sendable {
    private let isOver = Mutex(false)
    private let threads = DispatchGroup()

    /// Begins a loop, whose body receives the number of earlier runs.
    func begin(_ body: @escaping @Sendable (Int) throws -> Void) {
        threads.enter()
        Thread.detachNewThread { [self] in
            defer { threads.leave() }
            do {
                var number = 0
                while !isOver.withLock({ $0 }) {
                    try body(number)
                    number += 1
                }
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Ends all loops.
    func end() {
        isOver.withLock { $0 = true }
        threads.wait()
    }
}
