import Foundation
import GRDB
import PhotoStreamMigrations
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@Suite struct DatabaseOpenerTests {
    private let temporary: TemporaryDatabase
    private var path: String { temporary.path }

    init() throws {
        temporary = try TemporaryDatabase()
    }

    @Test func `a new file is created, marked with the application id and opened again`() throws {
        try temporary.open().write { try $0.createStream(named: StreamName("a"), now: 1) }
        let reopened = try temporary.open(.existing)
        #expect(try reopened.read { try $0.streams() }.map(\.name.rawValue) == ["a"])
        let raw = try DatabaseQueue(path: path)
        #expect(try raw.read { try Int.fetchOne($0, sql: "PRAGMA application_id") } == 0x5068_6F53)
        #expect(try raw.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM migrationHash") } == Migration.all.count)
    }

    @Test func `an empty file is new for writers and empty for others`() throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        for access in [FileAccess.existing, .readOnly] {
            let error = failure { try temporary.open(access) }
            #expect(
                error
                    == StorageError(
                        .notADatabase, message: "\(path) is empty: it does not contain a PhotoStream database"))
        }
        _ = try temporary.open()
        #expect(try temporary.open(.readOnly).read { try $0.cursorKey() }.count == 32)
    }

    @Test func `a text file is not a database and is not changed`() throws {
        let text = String(repeating: "not a database\n", count: 100)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        for access in [FileAccess.readWrite, .existing, .readOnly] {
            #expect(
                failure { try temporary.open(access) }
                    == StorageError(.notADatabase, message: "\(path) is not an SQLite database")
            )
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `another program's database is rejected and not changed`() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for access in [FileAccess.readWrite, .existing, .readOnly] {
            let error = failure { try temporary.open(access) }
            #expect(
                error == StorageError(.notADatabase, message: "\(path) is an SQLite database, but not PhotoStream's")
            )
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a folder is rejected by name`() {
        let error = failure { try PhotoDatabase(path: temporary.folder, access: .readWrite) }
        #expect(error == StorageError(.notADatabase, message: "\(temporary.folder) is a folder, not a database file"))
    }

    @Test func `a missing folder and a missing file are distinguished`() {
        let deep = temporary.folder + "/no/photos.sqlite"
        #expect(failure { try PhotoDatabase(path: deep, access: .readWrite) }?.code == .missingFolder)
        #expect(failure { try PhotoDatabase(path: "", access: .readWrite) }?.code == .missingFile)
        for access in [FileAccess.existing, .readOnly] {
            #expect(
                failure { try temporary.open(access) } == StorageError(.missingFile, message: "\(path) does not exist")
            )
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `an unknown migration means a newer program`() throws {
        try temporary.open().close()
        try raw("INSERT INTO grdb_migrations (identifier) VALUES ('V999_future')")
        for access in [FileAccess.readWrite, .existing, .readOnly] {
            let sentence = "\(path) was made by a newer PhotoStream: migration V999_future is unknown to this one"
            #expect(failure { try temporary.open(access) } == StorageError(.schemaTooNew, message: sentence))
        }
    }

    @Test func `a migration whose recorded hash differs means a different build`() throws {
        try temporary.open().close()
        try raw("UPDATE migrationHash SET hash = 'x' WHERE name = 'V002_change'")
        let sentence = "\(path) was made by a different build: migration V002_change has changed"
        for access in [FileAccess.readWrite, .existing, .readOnly] {
            #expect(failure { try temporary.open(access) } == StorageError(.schemaDiffers, message: sentence))
        }
    }

    @Test func `only a writer migrates a file`() throws {
        try temporary.open().close()
        try raw("DROP TABLE secret")
        try raw("DELETE FROM grdb_migrations WHERE identifier = 'V005_secret'")
        try raw("DELETE FROM migrationHash WHERE name = 'V005_secret'")
        #expect(failure { try temporary.open(.readOnly) }?.code == .schemaTooOld)
        #expect(try temporary.open(.existing).read { try $0.cursorKey() }.count == 32)
    }

    @Test func `writing to a file that is open for reading fails with one sentence`() throws {
        _ = try temporary.open()
        let reading = try temporary.open(.readOnly)
        #expect(reading.isReadOnly)
        let error = failure { try reading.write { try $0.createStream(named: StreamName("b"), now: 1) } }
        #expect(error == StorageError(.readOnly, message: "\(path) is open for reading only"))
        try reading.optimize()
    }

    @Test func `an unfinished change of a killed process is rolled back by a writer and never read`() throws {
        // A file and its journal in the middle of a change, as after a process was killed.
        let source = temporary.folder + "/source.sqlite"
        let made = try PhotoDatabase(path: source, access: .readWrite)
        try made.write { try $0.createStream(named: StreamName("a"), now: 1) }
        try made.close()
        let queue = try DatabaseQueue(path: source)
        try queue.inDatabase { handle in
            try handle.execute(
                sql: """
                    PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1;
                    BEGIN; UPDATE stream SET name = 'b'; CREATE TABLE filler (x);
                    INSERT INTO filler SELECT zeroblob(5000) FROM grdb_migrations, grdb_migrations AS again
                    """)
            for ending in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: source + ending, toPath: path + ending)
            }
            try handle.execute(sql: "ROLLBACK")
        }
        #expect(failure { try temporary.open(.readOnly) }?.code == .readOnly)
        #expect(try temporary.open(.existing).read { try $0.streams() }.map(\.name.rawValue) == ["a"])
        #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
        #expect(try temporary.open(.readOnly).read { try $0.streams() }.map(\.name.rawValue) == ["a"])
    }

    @Test func `a lock held for too long is reported with the waiting time`() throws {
        let database = try temporary.open(busyTimeoutMilliseconds: 250)
        let other = try DatabaseQueue(path: path)
        let sentence = "\(path) is locked by another program; gave up after 0.25 seconds"
        try other.inDatabase { handle in
            try handle.execute(sql: "BEGIN IMMEDIATE")
            let error = failure { try database.write { try $0.createStream(named: StreamName("b"), now: 1) } }
            #expect(error == StorageError(.busy, message: sentence))
            // Reading continues, and so does opening, since there is nothing to write.
            #expect(try database.read { try $0.streams() }.isEmpty)
            #expect(try temporary.open(.existing).read { try $0.streams() }.isEmpty)
            try handle.execute(sql: "ROLLBACK")
        }
    }

    @Test func `a new file that another program has locked exclusively is busy`() throws {
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { handle in
            try handle.execute(sql: "PRAGMA user_version = 1; BEGIN EXCLUSIVE")
            let error = failure { try temporary.open(busyTimeoutMilliseconds: 1_000) }
            #expect(error?.code == .busy)
            #expect(error?.message.hasSuffix("gave up after 1 second") == true)
            try handle.execute(sql: "ROLLBACK")
        }
    }

    @Test func `many openers of one new file all succeed`() async throws {
        let path = path
        for round in 0..<5 {
            let file = "\(path)-\(round)"
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try PhotoDatabase(path: file, access: .readWrite).read { try $0.cursorKey() }.count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(count == 6 * 32)
        }
    }

    @Test func `every connection has the program's settings`() throws {
        let database = try temporary.open(busyTimeoutMilliseconds: 1_234)
        let expected: [(String, Int64)] = [
            ("foreign_keys", 1), ("synchronous", 1), ("temp_store", 2),
            ("mmap_size", 268_435_456), ("journal_size_limit", 67_108_864),
        ]
        for (name, value) in expected {
            #expect(try database.read { try $0.integer("PRAGMA \(name)") } == value, "reader's \(name)")
            #expect(try database.write { try $0.reader.integer("PRAGMA \(name)") } == value, "writer's \(name)")
        }
        #expect(try database.read { try $0.integer("PRAGMA cache_size") } == -4_096)
        #expect(try database.write { try $0.reader.integer("PRAGMA cache_size") } == -49_152)
    }

    @Test(arguments: [(true, Int64(256) << 20), (false, 0)])
    func `a file is read through memory maps unless memory is limited`(mapsFile: Bool, byteCount: Int64) throws {
        let database = try PhotoDatabase(path: path, access: .readWrite, mapsFile: mapsFile)
        #expect(try database.read { try $0.integer("PRAGMA mmap_size") } == byteCount)
        #expect(try database.write { try $0.reader.integer("PRAGMA mmap_size") } == byteCount)
    }

    @Test func `a path that SQLite could interpret is used literally`() throws {
        for name in ["file:odd?mode=memory", ":memory:", "späße %41#1.sqlite"] {
            let database = try PhotoDatabase(path: temporary.folder + "/" + name, access: .readWrite)
            #expect(try database.read { try $0.streams() }.isEmpty)
            #expect(FileManager.default.fileExists(atPath: temporary.folder + "/" + name))
        }
    }

    @Test func `after closing, the file is complete by itself`() throws {
        let database = try temporary.open()
        try database.write { _ = try $0.createStream(named: StreamName("kept"), now: 1) }
        _ = try database.read { try $0.streams() }
        try database.close()
        #expect(!FileManager.default.fileExists(atPath: temporary.path + "-wal"))
        let copy = temporary.folder + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: temporary.path, toPath: copy)
        let reopened = try PhotoDatabase(path: copy, access: .existing)
        #expect(try reopened.read { try $0.streams().map(\.name.rawValue) } == ["kept"])
    }

    private func raw(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
