import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

/// The write-ahead log stays short, regardless of the processes that read.
@Suite struct LogKeeperTests {
    private static let limits = LogLimits(usual: 1 << 20, bulk: 4 << 20)
    private let temporary: TemporaryDatabase
    private let database: PhotoDatabase

    init() throws {
        temporary = try TemporaryDatabase()
        database = try PhotoDatabase(path: temporary.path, access: .readWrite, logLimits: Self.limits)
    }

    private var logByteCount: Int {
        (try? FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")[.size] as? Int) ?? 0
    }

    /// Writes about 200 KB.
    private func writeSome(_ number: Int) throws {
        try database.write { writer in
            try writer.database.execute(
                sql: "INSERT OR REPLACE INTO secret (id, cursorKey) VALUES (1, randomblob(32));")
            try writer.database.execute(sql: "CREATE TABLE IF NOT EXISTS filler (id INTEGER PRIMARY KEY, bytes BLOB)")
            try writer.database.execute(
                sql: "INSERT OR REPLACE INTO filler VALUES (?, randomblob(200000))", arguments: [number % 20])
        }
    }

    @Test func `the log stays short with constantly overlapping readers and a constantly folding one`() async throws {
        let isOver = Mutex(false)
        let givenUpCount = Mutex(0)
        let readers = (0..<13).map { number in
            onThread {
                while !isOver.withLock({ $0 }) {
                    do {
                        try database.read(isRestartable: true) { reader in
                            _ = try reader.streams()
                            // The last one folds endlessly, and checks whether it must restart.
                            for _ in 0..<(number == 12 ? Int.max : 3) {
                                try reader.throwIfMustRestart()
                                if isOver.withLock({ $0 }) { return }
                                Thread.sleep(forTimeInterval: 0.001)
                            }
                        }
                    } catch ReadInterruption.logIsLong {
                        givenUpCount.withLock { $0 += 1 }
                    }
                }
            }
        }
        var longest = 0
        for number in 0..<120 {
            try writeSome(number)
            longest = max(longest, logByteCount)
            // Writes are as frequent as those of clients.
            if number % 4 == 0 { _ = eventually(within: .milliseconds(600)) { logByteCount < Self.limits.usual } }
        }
        isOver.withLock { $0 = true }
        for reader in readers { try await reader.value }
        #expect(longest < 8 << 20, "24 MB were written")
        #expect(givenUpCount.withLock { $0 } > 0)
        _ = try database.emptyLongLog()
        #expect(logByteCount <= Self.limits.usual)
    }

    @Test func `short reads are never held back, however they overlap`() async throws {
        let isOver = Mutex(false)
        let readers = (0..<4).map { _ in
            onThread {
                while !isOver.withLock({ $0 }) {
                    try database.read { reader in
                        _ = try reader.streams()
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                }
            }
        }
        for number in 0..<40 {
            try writeSome(number)
            if number % 10 == 9 { #expect(try eventually { try database.emptyLongLog() == nil }) }
        }
        isOver.withLock { $0 = true }
        for reader in readers { try await reader.value }
        #expect(logByteCount <= Self.limits.usual, "8 MB were written")
        #expect(!database.logKeeper.mustRestart(0))
    }

    @Test func `another program's open read is reported, and reads continue`() throws {
        let holder = try FileHolder(temporary.path, kind: .read)
        for number in 0..<12 { try writeSome(number) }
        #expect(
            try eventually {
                _ = try database.read { try $0.streams() }
                return database.logObstacle != nil
            })
        #expect(database.logObstacle?.isOwn == false)
        #expect(database.logObstacle?.description.contains("another program") == true)
        let found = try database.emptyLongLog()
        #expect(found?.isOwn == false)
        // It is not tried all the time, so reads are not held back all the time.
        let start = ContinuousClock.now
        for _ in 0..<200 { _ = try database.read { try $0.streams() } }
        #expect(start.duration(to: .now) < .seconds(10))
        try holder.release()
        #expect(
            try eventually {
                _ = try database.read { try $0.streams() }
                return logByteCount <= Self.limits.usual
            })
        #expect(try database.emptyLongLog()?.description == nil)
        #expect(database.logObstacle == nil)
    }

    @Test func `a long write is waited for and not mistaken for a read`() async throws {
        let other = try DatabaseQueue(path: temporary.path)
        try await other.write { other in
            try other.execute(sql: "CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (randomblob(3000000))")
        }
        let hasBegun = Mutex(false)
        let writer = onThread {
            try other.inDatabase { other in
                try other.execute(sql: "BEGIN IMMEDIATE; INSERT INTO filler VALUES (randomblob(1000))")
                hasBegun.withLock { $0 = true }
                Thread.sleep(forTimeInterval: 1)
                try other.execute(sql: "COMMIT")
            }
        }
        #expect(eventually { hasBegun.withLock { $0 } })
        #expect(try database.emptyLongLog()?.description == nil)
        #expect(logByteCount <= Self.limits.usual)
        try await writer.value
    }

    @Test func `while different reads block the checkpoint, the next attempt follows soon`() throws {
        var holder = try FileHolder(temporary.path, kind: .read)
        for number in 0..<6 {
            for part in 0..<6 { try writeSome(number + part) }
            let next = try FileHolder(temporary.path, kind: .read)
            try holder.release()
            holder = next
            #expect(try database.emptyLongLog()?.isOwn == false)
            // The delay grows with this number.
            #expect(database.logKeeper.state.withLock { $0.failureCount } == 1)
        }
        try holder.release()
        #expect(
            try eventually {
                _ = try database.read { try $0.streams() }
                return logByteCount <= Self.limits.usual
            })
    }

    @Test func `another program's read is reported after one of this process has ended`() async throws {
        let holder = try FileHolder(temporary.path, kind: .read)
        let hasBegun = Mutex(false)
        let isOver = Mutex(false)
        let own = onThread {
            try database.read { reader in
                _ = try reader.streams()
                hasBegun.withLock { $0 = true }
                while !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
            }
        }
        #expect(eventually { hasBegun.withLock { $0 } })
        for number in 0..<12 { try writeSome(number) }
        #expect(try database.emptyLongLog()?.isOwn == true)
        isOver.withLock { $0 = true }
        try await own.value
        // A read that began later does not keep the log.
        try database.read { reader in
            _ = try reader.streams()
            #expect(try database.emptyLongLog()?.isOwn == false)
        }
        try holder.release()
    }

    @Test func `during an import, the log may be longer`() throws {
        let stream = try database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
        // The migrations made the log long, and what began without an import may end during one.
        _ = try database.emptyLongLog()
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000)
        let run = try database.write { try $0.startImportRun(streamID: stream.id, sources: ["a"], now: now) }
        for number in 0..<12 { try writeSome(number) }
        _ = try database.emptyLongLog()
        #expect(logByteCount > Self.limits.usual)
        try database.write { try $0.finishImportRun(runID: run, counts: ImportTotals(), now: now) }
        #expect(try database.emptyLongLog()?.description == nil)
        #expect(logByteCount <= Self.limits.usual)
    }

    @Test func `a killed import counts for a limited time, a running one as long as it writes`() throws {
        var limits = Self.limits
        // The import's own writes must not exceed the limit, and no pause of a busy machine must count as silence.
        (limits.bulk, limits.importSilence) = (1 << 40, .seconds(6))
        let database = try PhotoDatabase(path: temporary.path, access: .readWrite, logLimits: limits)
        let stream = try database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
        for each in [self.database, database] { _ = try each.emptyLongLog() }
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000)
        let run = try database.write { try $0.startImportRun(streamID: stream.id, sources: ["a"], now: now) }
        for number in 0..<12 { try writeSome(number) }
        var seen = RowIDSet()
        let start = ContinuousClock.now
        var number = 0
        while start.duration(to: .now) < .seconds(8) {
            number += 1
            let records = [PhotoRecord(id: try PhotoID("photo \(number)"))]
            _ = try database.importRecords(records[...], into: stream.id, run: run, seen: &seen)
            _ = try database.emptyLongLog()
            #expect(logByteCount > Self.limits.usual)
        }
        // From here on, it writes nothing more.
        #expect(
            try eventually {
                _ = try database.emptyLongLog()
                return logByteCount <= Self.limits.usual
            })
    }

    @Test func `a moved file is left alone`() throws {
        for number in 0..<3 { try writeSome(number) }
        try FileManager.default.moveItem(atPath: temporary.path, toPath: temporary.path + ".away")
        _ = try? database.emptyLongLog()
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
    }
}
