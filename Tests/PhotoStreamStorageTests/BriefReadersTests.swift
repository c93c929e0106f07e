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

    @Test func `a file that has taken the place of the open one is not read`() throws {
        let (fixture, other) = (try StreamFixture(), try StreamFixture())
        try other.database.close()
        let (path, away) = (fixture.temporary.path, fixture.temporary.path + ".away")
        try FileManager.default.moveItem(atPath: path, toPath: away)
        try FileManager.default.copyItem(atPath: other.temporary.path, toPath: path)
        #expect(try fixture.database.readWithoutWaiting { try $0.streams().count } == nil)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: away, toPath: path)
        #expect(try fixture.database.readWithoutWaiting { try $0.streams().count } == 1)
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

    @Test func `what is remembered is told without a transaction`() throws {
        let fixture = try StreamFixture()
        let name = try #require(try fixture.database.read { try $0.streams().first?.name })
        for readsMore in [false, true] {
            // Who reads while the log is empty keeps nobody from beginning it anew.
            try fixture.database.write {
                _ = try $0.createStream(named: StreamName(stored: "other \(readsMore)"), now: 8)
            }
            // The first one remembers the stream.
            let first = try fixture.database.readWithoutWaiting { try $0.stream(named: name) }
            let isFree = try fixture.database.readWithoutWaiting { reader in
                #expect(try reader.stream(named: name)?.id == first??.id)
                if readsMore { _ = try reader.streams() }
                return try Self.isFreeOfReaders(fixture.temporary.path)
            }
            #expect(isFree == !readsMore)
        }
    }

    @Test func `what was told from memory is not mixed with what came later`() throws {
        let fixture = try StreamFixture()
        let name = try #require(try fixture.database.read { try $0.streams().first?.name })
        for (number, swallows) in [false, true].enumerated() {
            _ = try fixture.database.readWithoutWaiting { try $0.stream(named: name) }
            let answer = try fixture.database.readWithoutWaiting { reader in
                let stream = try reader.stream(named: name)
                try fixture.database.write {
                    _ = try $0.createStream(named: StreamName(stored: "late \(number)"), now: 8)
                }
                // Not even where the reader makes nothing of the error.
                let count = swallows ? (try? reader.streams().count) ?? 0 : try reader.streams().count
                return (stream?.id, count)
            }
            #expect(answer == nil)
            #expect(try fixture.database.readWithoutWaiting { try $0.streams().count } == number + 2)
        }
    }

    @Test(arguments: [21 as UInt64, 22, 23])
    func `whatever others do, a brief read tells what is`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let fixture = try StreamFixture()
        let other = try PhotoDatabase(path: fixture.temporary.path, access: .existing)
        defer { try? other.close() }
        var names = try fixture.database.read { try $0.streams().map(\.name) }
        for step in 0..<150 {
            let database = Bool.random(using: &random) ? fixture.database : other
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1:
                let name = StreamName(stored: "stream \(step)")
                try database.write { _ = try $0.createStream(named: name, now: 8) }
                names.append(name)
            case 2:
                let index = Int.random(in: 0..<names.count, using: &random)
                let name = StreamName(stored: "renamed \(step)")
                try database.write { try $0.renameStream(named: names[index], to: name) }
                names[index] = name
            case 3 where step % 3 == 0:
                // Another process, which begins the log anew: the next commit is the first one again.
                try Self.shell(fixture.temporary.path, "PRAGMA wal_checkpoint(TRUNCATE)")
                let name = StreamName(stored: "shell \(step)")
                try Self.shell(
                    fixture.temporary.path,
                    "INSERT INTO stream (name, createdAtMilliseconds) VALUES ('\(name)', 0)")
                names.append(name)
            default:
                let name = try #require(names.randomElement(using: &random))
                let brief = try database.readWithoutWaiting { try $0.stream(named: name) }
                #expect(try brief == .some(database.read { try $0.stream(named: name) }))
                #expect(brief != .some(nil))
            }
        }
    }

    /// Whether the log can be begun anew, as another process sees it: only while nobody reads.
    private static func isFreeOfReaders(_ path: String) throws -> Bool {
        try shell(path, "PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("0|")
    }

    /// What another process is answered.
    @discardableResult
    private static func shell(_ path: String, _ sql: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-batch", path, sql]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
