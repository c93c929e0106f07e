import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

/// Notices of commits.
@Suite struct CommitWatchTests {
    /// Counts calls.
    private final class Counter: Sendable {
        let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
    }

    @Test func `commits of any connection change the version, and reads do not`() throws {
        let file = try TemporaryDatabase()
        let (database, other) = (try file.open(), try file.open())
        let counter = Counter()
        var watch: CommitWatch? = try database.watchCommits { counter.count.withLock { $0 += 1 } }
        var last = try #require(try watch?.version())
        for (number, writer) in [database, other, database, other].enumerated() {
            _ = try database.read { try $0.streams() }
            #expect(try watch?.version() == last)
            try writer.write { try $0.createStream(named: StreamName(stored: "s\(number)"), now: 1) }
            let now = try #require(try watch?.version())
            #expect(now != last)
            last = now
        }
        // Its own writes are noticed at once.
        #expect(counter.value == 2)
        #expect(throws: StorageError.self) {
            try database.write { try $0.createStream(named: StreamName(stored: "s0"), now: 1) }
        }
        #expect(try counter.value == 2 && watch?.version() == last)
        watch = nil
        try database.write { try $0.createStream(named: StreamName(stored: "last"), now: 1) }
        #expect(counter.value == 2)
        try other.close()
        try database.close()
    }
}
