import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

/// Writers of several processes take turns.
@Suite struct BusyWaitTests {
    @Test func `a small write gets its turn between the batches of an import`() async throws {
        let file = try TemporaryDatabase()
        let importer = try file.open()
        // Like another process: with its own connections.
        let other = try file.open()
        let stream = try importer.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
        let isOver = Mutex(false)
        let batchCount = Mutex(0)
        let importing = onThread {
            var number = 0
            while !isOver.withLock({ $0 }) {
                importer.pauseForOtherWriters()
                try importer.write { writer in
                    let deadline = ContinuousClock.now.advanced(by: .milliseconds(100))
                    repeat {
                        number += 1
                        _ = try writer.add(streamID: stream.id, record: record("photo-\(number)"))
                    } while ContinuousClock.now < deadline
                }
                batchCount.withLock { $0 += 1 }
            }
        }
        #expect(eventually { batchCount.withLock { $0 > 0 } })
        // In batches of the import, which does not depend on the pace of the machine.
        var waits: [Int] = []
        for number in 0..<12 {
            let start = batchCount.withLock { $0 }
            try other.write { _ = try $0.createStream(named: StreamName(stored: "stream \(number)"), now: 8) }
            waits.append(batchCount.withLock { $0 } - start)
        }
        isOver.withLock { $0 = true }
        try await importing.value
        // It does not depend on luck: with SQLite's own timeout a third of these waits takes dozens of batches, or fails.
        #expect(waits.sorted()[10] <= 4, "\(waits)")
    }

    @Test func `an import retries its batch if the file is locked for longer than the timeout`() async throws {
        let file = try TemporaryDatabase()
        let database = try file.open(busyTimeoutMilliseconds: 20)
        let stream = try database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
        let holder = try FileHolder(file.path)
        let tries = Mutex(0)
        let importing = onThread {
            var seen = RowIDSet()
            return try database.retryingWhileLocked {
                tries.withLock { $0 += 1 }
                return try database.importRecords([record("a")], into: stream.id, seen: &seen).outcomes
            }
        }
        #expect(eventually { tries.withLock { $0 } > 3 })
        try holder.release()
        #expect(try await importing.value == [.inserted])
    }

    @Test func `a cancelled write stops waiting for the lock`() async throws {
        let file = try TemporaryDatabase()
        let database = try file.open(busyTimeoutMilliseconds: 60_000)
        let holder = try FileHolder(file.path)
        let began = Mutex(false)
        let writing = onThread {
            began.withLock { $0 = true }
            try database.write { _ = try $0.createStream(named: StreamName("holiday"), now: 7) }
        }
        #expect(eventually { began.withLock { $0 } })
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        try holder.release()
    }

    @Test func `a running statement ends when its task is cancelled`() async throws {
        let file = try TemporaryDatabase()
        let database = try file.open()
        let began = Mutex(false)
        let end = Mutex<ContinuousClock.Instant?>(nil)
        let reading = onThread {
            defer { end.withLock { $0 = .now } }
            return try database.read { reader in
                began.withLock { $0 = true }
                // Ten billion rows, for which it would count for a quarter of an hour.
                let sql =
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000000) SELECT sum(i) FROM n"
                return try RawStatement(reader.database, sql: sql).first { $0.integer(0) }
            }
        }
        #expect(eventually { began.withLock { $0 } })
        let start = ContinuousClock.now
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        let stop = try #require(end.withLock { $0 })
        #expect(start.duration(to: stop) < .seconds(60))
        // The connection is good for the next read.
        let count = try database.read { try $0.streams().count }
        #expect(count == 0)
    }
}
