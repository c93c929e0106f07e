import Dispatch
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

/// Cached rows equal the rows that the transaction would read, regardless of the process that writes.
@Suite struct RowCacheTests {
    private let temporary: TemporaryDatabase
    private let database: PhotoDatabase
    private let stream: StreamRow
    /// Another program's connection: foreign keys off, none of our settings.
    private let shell: DatabaseQueue

    init() throws {
        temporary = try TemporaryDatabase()
        // A short log, so that it loses rows.
        database = try PhotoDatabase(
            path: temporary.path, access: .readWrite, log: ChangeLog(keptRowCount: 30, slackRowCount: 10))
        stream = try database.write { try $0.createStream(named: StreamName("one"), now: 7) }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        shell = try DatabaseQueue(path: temporary.path, configuration: configuration)
        try run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
            INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            SELECT 1 + i % 2, 'p' || i, 4, 3, i / 3, 5 FROM n
            """)
    }

    private func run(_ sql: String) throws { try shell.inDatabase { try $0.execute(sql: sql) } }

    /// Reads rows out of memory and from the file in one transaction, which must be the same.
    ///
    /// - Returns: The number of rows that were in memory.
    @discardableResult
    private func check(_ reader: PhotoReader, _ rowIDs: [Int64], _ comment: Comment? = nil) throws -> Int {
        let cached = try #require(reader.cachedRows)
        var count = 0
        if let end = try cached.end(reader) {
            var rows = PackedRows(count: rowIDs.count)
            count = rowIDs.count - cached.cache.read(rowIDs, asOf: end, into: &rows).count
        }
        let (packed, plain) = (try reader.packedRows(rowIDs), try reader.photos(rowIDs: rowIDs))
        #expect(packed.count == plain.count)
        for (position, photo) in plain.enumerated() {
            #expect(packed[position].photo == photo.photo, comment)
            #expect(packed.key(at: position) == photo.key, comment)
        }
        return count
    }

    private func readAll() throws {
        try database.read { reader in _ = try check(reader, try allRows(reader)) }
    }

    private func allRows(_ reader: PhotoReader) throws -> [Int64] {
        try Int64.fetchAll(reader.database, sql: "SELECT id FROM photo ORDER BY orderTime DESC, orderRank DESC")
    }

    /// The changes that another program may make to rows, row ids and names.
    private func statement(_ generator: inout SplitMix64, _ step: Int) -> String {
        let (row, other) = (generator.int(in: 1...40), generator.int(in: 1...40))
        return switch generator.below(13) {
        case 0...2: "UPDATE photo SET caption = 'c\(step)', latitude = \(step % 90), longitude = 1 WHERE id = \(row)"
        case 3: "DELETE FROM photo WHERE id = \(row)"
        case 4:
            """
            INSERT OR REPLACE INTO photo (id, streamId, externalId, width, height, alt)
            VALUES (\(row), 1, 'p\(other)', \(4 + step % 9), 5, 'a\(step)')
            """
        case 5: "UPDATE OR REPLACE photo SET id = \(other) WHERE id = \(row)"
        case 6: "UPDATE OR REPLACE photo SET externalId = 'p\(other)' WHERE id = \(row)"
        case 7: "UPDATE OR REPLACE photo SET streamId = 3 - streamId WHERE id = \(row)"
        case 8:
            """
            UPDATE OR REPLACE photo SET movedTime = 2, movedRank = \(other), movedFromOrderTime = ownOrderTime
            WHERE id = \(row)
            """
        case 9: "INSERT OR IGNORE INTO photo (streamId, externalId, width, height) VALUES (1, 'new\(step % 20)', 9, 9)"
        case 10: "BEGIN; UPDATE photo SET caption = 'never \(step)'; DELETE FROM photo WHERE id = \(row); ROLLBACK"
        case 11: "UPDATE photo SET tags = '[\"t\(step)\"]' WHERE id BETWEEN \(row) AND \(other)"
        default:
            """
            DELETE FROM stream WHERE id = 2;
            INSERT OR IGNORE INTO stream (id, name, createdAtMilliseconds) VALUES (2, 'two', 0)
            """
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `after any writes, rows are read like from the file`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var hits = 0
        for step in 0..<400 {
            // An emptied log is only detected before it is as long again.
            let isEmptied = generator.oneIn(20)
            if isEmptied { try run("DELETE FROM change") }
            for _ in 0..<(isEmptied ? 0 : generator.below(4)) { try run(statement(&generator, step)) }
            if !isEmptied, generator.oneIn(5) {
                try database.write { writer in
                    _ = try writer.add(streamID: stream.id, record: record("own\(step)", width: 4 + step % 7))
                    try writer.trimLog()
                }
            }
            // A write reads its own changes, which no other transaction may see before the commit.
            if generator.oneIn(7) {
                try? database.write { writer in
                    try writer.reader.database.execute(sql: "UPDATE photo SET caption = 'undone \(step)'")
                    let rowIDs = try allRows(writer.reader)
                    let rows = try writer.reader.packedRows(rowIDs)
                    #expect((0..<rows.count).allSatisfy { rows[$0].photo.caption == "undone \(step)" })
                    throw StorageError(.database, message: "undone")
                }
            }
            let comment = Comment(rawValue: "step \(step)")
            func look(_ reader: PhotoReader) throws -> Int { try check(reader, try allRows(reader), comment) }
            hits += try database.read(look)
        }
        #expect(hits > 2_000, "the test looks at rows in memory")
    }

    @Test func `an older transaction reads its own rows and caches none of them`() throws {
        try readAll()
        try database.read { old in
            let rows = try allRows(old)
            var count = try check(old, rows)
            #expect(count == rows.count)
            try run("UPDATE photo SET caption = 'later'; DELETE FROM photo WHERE id = 7")
            // On another queue, because reads of one queue must not be nested.
            try DispatchQueue.global().sync {
                try database.read { reader in
                    let count = try check(reader, try allRows(reader))
                    #expect(count == 0, "all were forgotten")
                }
            }
            count = try check(old, rows)
            #expect(count == 0)
            let photo = try old.packedRows([7])[0].photo
            #expect(photo.caption == nil)
        }
        try database.read { reader in
            let count = try check(reader, try allRows(reader))
            #expect(count == 29)
        }
    }

    @Test func `one change drops one row`() throws {
        try readAll()
        try run("UPDATE photo SET caption = 'other' WHERE id = 7")
        try database.read { reader in
            let (count, photo) = (try check(reader, try allRows(reader)), try reader.packedRows([7])[0].photo)
            #expect(count == 29)
            #expect(photo.caption == "other")
        }
    }

    /// Logs a number of new photos.
    private func insert(_ count: Int) throws {
        try run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO photo (streamId, externalId, width, height) SELECT 2, 'new ' || hex(randomblob(16)), 4, 3 FROM n
            """)
    }

    @Test func `commits of an import do not drop other rows`() throws {
        try readAll()
        let rows = Array(1...30 as ClosedRange<Int64>)
        try insert(2_049)
        let count = try database.read { try check($0, rows) }
        #expect(count == rows.count)
        try insert(CachedRows.changeLimit + 1)
        let none = try database.read { try check($0, rows) }
        #expect(none == 0)
    }

    @Test func `a log that was emptied and has grown again is detected`() throws {
        try readAll()
        let end = try #require(try database.read { try $0.lastRevision() })
        try run("DELETE FROM change; UPDATE photo SET caption = 'unnamed' WHERE id = 7; DELETE FROM change")
        // Other rows, one after the other, until the log is as long and longer.
        for step in 0..<end + 2 { try run("UPDATE photo SET alt = '\(step)' WHERE id = 9") }
        try database.read { reader in
            let (last, count) = (try reader.lastRevision(), try check(reader, try allRows(reader)))
            #expect(last == end + 2)
            #expect(count == 0)
        }
    }

    @Test func `a missing row is an error, in memory or not`() throws {
        for _ in 0..<2 {
            do {
                _ = try database.read { try $0.packedRows([3, 999]) }
                Issue.record("it is not missed")
            } catch ReadInterruption.damage(nil, let message) {
                #expect(message.contains("photo row 999 is missing"))
            }
        }
    }

    @Test func `a read during writes sees its own snapshot`() throws {
        let isDone = Mutex(false)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            do {
                var generator = SplitMix64(seed: UInt64(thread))
                if thread == 0 {
                    defer { isDone.withLock { $0 = true } }
                    for step in 0..<300 { try run(statement(&generator, step)) }
                } else {
                    while !isDone.withLock({ $0 }) {
                        if thread == 1 { try readAll() }
                        _ = try database.read { try check($0, try allRows($0)) }
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        try database.read { reader in
            let rowIDs = try allRows(reader)
            try check(reader, rowIDs)
            let count = try check(reader, rowIDs)
            #expect(count == rowIDs.count)
        }
    }
}
