import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// The write-ahead log is long during bulk writes.
@Suite struct WriteAheadLogTests {
    @Test func `the log stays long until the last of several bulk writes ends`() throws {
        let file = try TemporaryDatabase()
        let database = try PhotoDatabase(path: file.path, access: .readWrite)
        func limit() throws -> Int? {
            try database.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA journal_size_limit") }
        }
        let usual = try limit()
        var found: [Bool] = []
        for begins in [true, true, false, true, false, false, true, false] {
            try begins ? database.beginBulkWrites() : database.endBulkWrites()
            found.append(try limit() == usual)
        }
        #expect(found == [false, false, false, false, false, true, false, true])
    }

    @Test func `a bulk write that cannot begin is not counted`() throws {
        let file = try TemporaryDatabase()
        try PhotoDatabase(path: file.path, access: .readWrite).close()
        let database = try PhotoDatabase(path: file.path, access: .readOnly)
        #expect(throws: StorageError.self) { try database.beginBulkWrites() }
        #expect(throws: StorageError.self) { try database.beginBulkWrites() }
    }
}
