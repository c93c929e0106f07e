import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Reads that wait for nobody.
@Suite struct BriefReadersTests {
    /// Reads inside of reads until no connection is free.
    private func depth(_ database: PhotoDatabase) throws -> Int {
        try database.readWithoutWaiting { reader in
            #expect(try reader.lastRevision() == nil)
            return 1 + (try depth(database))
        } ?? 0
    }

    @Test func `who finds no connection free does not wait`() throws {
        let fixture = try StreamFixture()
        let connections = try depth(fixture.database)
        #expect(connections > 0)
        #expect(try depth(fixture.database) == connections, "all were given back")
    }

    @Test func `a read is one transaction`() throws {
        let fixture = try StreamFixture()
        let names = try fixture.database.readWithoutWaiting { reader in
            let before = try reader.streams().map(\.name)
            try fixture.database.write { _ = try $0.createStream(named: StreamName(stored: "late"), now: 8) }
            return (before, try reader.streams().map(\.name))
        }
        #expect(names?.0 == names?.1 && names?.0.count == 1)
        #expect(try fixture.database.readWithoutWaiting { try $0.streams().count } == 2)
    }

    @Test func `an error ends the transaction`() throws {
        struct Failure: Error {}
        let fixture = try StreamFixture()
        #expect(throws: Failure.self) { try fixture.database.readWithoutWaiting { _ in throw Failure() } }
        try fixture.database.write { _ = try $0.createStream(named: StreamName(stored: "late"), now: 8) }
        #expect(try fixture.database.readWithoutWaiting { try $0.streams().count } == 2)
    }

    @Test func `nothing is left of the log when the file was closed`() throws {
        let fixture = try StreamFixture()
        _ = try fixture.database.readWithoutWaiting { try $0.streams().count }
        try fixture.database.close()
        #expect(try fixture.database.readWithoutWaiting { _ in true } == nil)
        #expect(!FileManager.default.fileExists(atPath: fixture.temporary.path + "-wal"))
    }
}
