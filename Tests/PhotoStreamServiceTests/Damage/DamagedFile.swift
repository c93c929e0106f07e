import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport

@testable import PhotoStreamService

/// A file that has some of everything, to be copied and damaged.
struct DamageBase {
    static let keys = [0, 3, 5, 6, 7, 8, 9]
    static let chunkSize = ChunkSize(minimum: 4, target: 8, maximum: 16)
    static let other = StreamName(stored: "other")
    /// Conditions that stored attributes decide.
    static let conditions = ["has:caption", "within:-60,-120,60,120", "-is:landscape taken:1970"]

    /// The layout of views.
    static func viewKey() throws -> LayoutKey { try LayoutKey(SampleLayouts.configurations[1]) }

    /// The bytes of the file; nothing waits in a write-ahead log.
    let bytes: Data
    /// Its columns, by table; generated ones are left out.
    let columns: [(table: String, column: String)]
    /// Its triggers and indexes.
    let parts: [(kind: String, name: String)]
    /// The revision before the last writes.
    let revision: Revision

    init() throws {
        var random = SplitMix64(seed: 11)
        let gallery = try Gallery(chunkSize: Self.chunkSize)
        try gallery.insert(64, using: &random)
        let service = gallery.service
        try service.createStream(Self.other)
        try gallery.shell(
            """
            INSERT INTO photo (streamId, externalId, width, height, caption) VALUES (2, 'a', 4, 3, 'c'), (2, 'b', 3, 4, NULL);
            INSERT INTO importRun VALUES (1, 1, '["a.json"]', 1, 2, 3, 4, 5, 6, 7, 8, 9);
            INSERT INTO importFailure VALUES (1, 1, 'a.json', 2, 3, 'x', 'no id');
            INSERT INTO root VALUES (1, 1, '/srv', '/srv', 'machine', 5, NULL);
            INSERT INTO upload VALUES (1, 1, 'machine', '/srv', '.photostream-upload-a', 'a.jpg');
            UPDATE secret SET cursorKey = zeroblob(32);
            """)
        revision = try service.read { try $0.stream(Gallery.stream) }.revision
        for number in Self.keys {
            let key = try LayoutKey(SampleLayouts.configurations[number])
            _ = try service.warm(Gallery.stream, layout: key)
            for index in [0, 32, 63] { _ = try service.read { try $0.layout(key, of: Gallery.stream).item(at: index) } }
        }
        _ = try service.movePhoto(
            PhotoID(stored: "photo-5"), to: .before(PhotoID(stored: "photo-30")), in: Gallery.stream)
        try service.deletePhotos([PhotoID(stored: "photo-40")], from: Gallery.stream)
        let viewKey = try Self.viewKey()
        for text in Self.conditions {
            let condition = try Condition(parsing: text)
            _ = try service.read { try $0.layout(viewKey, of: Gallery.stream, where: condition).summary() }
        }
        try service.storeDerived()
        columns = try gallery.shellOutput(
            """
            SELECT m.name || ' ' || c.name FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
            WHERE m.type = 'table' AND c.hidden = 0 AND m.name NOT LIKE 'sqlite_stat%' ORDER BY 1
            """
        ).split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return (words[0], words[1])
        }
        parts = try gallery.shellOutput(
            """
            SELECT type || ' ' || name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY 1
            """
        ).split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return (words[0], words[1])
        }
        try service.close()
        bytes = try Data(contentsOf: URL(fileURLWithPath: gallery.temporary.path))
    }

    /// The tables that hold derived data.
    static let derivedTables: Set<String> = [
        "streamIndex", "chunk", "chunkContent", "chunkAttributes", "layout", "layoutChunk", "layoutFrames",
    ]
}

/// One way to damage a file.
enum Damage: CustomStringConvertible {
    /// Values that another program writes with the checks off.
    case values(table: String, sql: String)
    /// Changed bytes of the file.
    case bytes([(offset: Int, byte: UInt8)])
    /// The file ends earlier.
    case truncation(Int)
    /// A trigger or an index is gone, and another program writes.
    case part(kind: String, name: String, sql: String)

    var description: String {
        switch self {
        case .values(_, let sql): sql
        case .bytes(let changes): "bytes " + changes.map { "\($0.offset)=\($0.byte)" }.joined(separator: " ")
        case .truncation(let count): "cut at \(count)"
        case .part(let kind, let name, let sql): "DROP \(kind) \(name); \(sql)"
        }
    }

    /// The values that are put into columns: the ends of each integer type, and values that no column holds.
    private static let extremes = [
        "0", "1", "-1", "2", "1048576", "2147483647", "2147483648", "-2147483649", "4294967296",
        "9223372036854775807", "-9223372036854775808", "9223372036854775806", "-62135661600001", "253402365600000",
        "'text'", "''", "'[1,'", "x''", "x'00'", "randomblob(40)", "zeroblob(4096)", "1.5", "9e999", "-9e999", "NULL",
        "rowid", "char(0)", "'2'",
    ]

    /// Draws a way to damage a file.
    init(_ base: DamageBase, using random: inout SplitMix64) {
        switch random.int(in: 0...9) {
        case 0...5:
            let (table, column) = random.element(of: base.columns)
            let isGivenToAll = random.oneIn(2)
            let name = "\"\(column)\""
            let number = random.element(of: [
                "-\(name)", "\(name) + 1", "\(name) * 1000003", "\(name) | 9223372036854775807", "\(name) & 1",
            ])
            let value = random.oneIn(4) ? number : random.element(of: Self.extremes)
            // A table without row ids has no other key that is as short.
            let condition = isGivenToAll ? "" : " WHERE abs(random()) % 3 = 0"
            let usable = table == "layoutChunk" && value == "rowid" ? "5" : value
            let triggers = random.oneIn(2) ? "off" : "on"
            self = .values(
                table: table,
                sql: "\(triggers) UPDATE OR IGNORE \"\(table)\" SET \(name) = \(usable)\(condition)")
        case 6, 7:
            let start = random.int(in: 0...base.bytes.count - 1)
            let spread = random.element(of: [1, 16, 4_096, base.bytes.count])
            self = .bytes(
                (0..<random.int(in: 1...8)).map { _ in
                    (
                        min(base.bytes.count - 1, start + random.int(in: 0...spread - 1)),
                        UInt8(truncatingIfNeeded: random.next())
                    )
                })
        case 8:
            let offset = random.int(in: 0...base.bytes.count - 1)
            let changes: [(offset: Int, byte: UInt8)] = [(offset, 0)]
            self = random.oneIn(4) ? .truncation(offset) : .bytes(changes)
        default:
            let part = random.element(of: base.parts)
            self = .part(
                kind: part.kind, name: part.name,
                sql: random.element(of: [
                    "DELETE FROM photo WHERE id % 7 = 0", "UPDATE photo SET width = 77, height = 55 WHERE id % 5 = 1",
                    "INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'new', 30, 20)",
                    "DELETE FROM stream WHERE id = 2", "",
                ]))
        }
    }

    /// Writes a damaged copy, the same for the same seed.
    ///
    /// - Returns: The finding of SQLite itself; `nil` if the statement has changed nothing.
    /// - Throws: ``SchemaNotRestored``, and the errors of Foundation.
    func write(_ base: DamageBase, seed: UInt64, to path: String) throws -> SQLiteFinding? {
        var bytes = base.bytes
        switch self {
        case .bytes(let changes): for change in changes { bytes[change.offset] ^= change.byte | 1 }
        case .truncation(let count): bytes = bytes.prefix(count)
        case .values, .part: break
        }
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        try bytes.write(to: URL(fileURLWithPath: path))
        let repeated = ".testctrl prng_seed \(seed & 0x7fff_ffff)"
        switch self {
        case .values(_, let sql):
            let words = sql.split(separator: " ", maxSplits: 1)
            // The schema forgets its types, checks and NOT NULLs while the values are written.
            let output = try Self.shell(
                path,
                """
                \(repeated)
                .dbconfig enable_trigger \(words[0])
                PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
                CREATE TEMP TABLE saved AS SELECT name, type, sql FROM sqlite_schema;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(replace(replace(replace(sql, ' STRICT, ', ' '), ') STRICT', ')'),
                    'INTEGER NOT NULL', 'INTEGER'), 'TEXT NOT NULL', 'TEXT'), 'BLOB NOT NULL', 'BLOB')
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%';
                PRAGMA writable_schema = RESET;
                CREATE TEMP TABLE before AS SELECT total_changes() AS count;
                \(words[1]);
                SELECT 'changed ' || (total_changes() - count) FROM temp.before;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema AS object SET sql = (SELECT saved.sql FROM temp.saved WHERE saved.name = object.name
                    AND saved.type = object.type) WHERE type = 'table' AND name NOT LIKE 'sqlite_%';
                PRAGMA writable_schema = RESET;
                SELECT 'restored ' || (count(*) = 0) FROM sqlite_schema AS object JOIN temp.saved USING (name, type)
                    WHERE saved.sql IS NOT object.sql;
                """)
            guard output.contains("restored 1\n") else { throw SchemaNotRestored(sql: sql, output: output) }
            if output.contains("changed 0\n") { return nil }
        case .part(let kind, let name, let sql): _ = try Self.shell(path, "\(repeated)\nDROP \(kind) \(name);\n\(sql);")
        case .bytes, .truncation: break
        }
        let found = try Self.shell(path, "PRAGMA integrity_check(1);\nPRAGMA foreign_key_check;")
        return SQLiteFinding(isSound: found == "ok\n", text: String(found.prefix(200)))
    }

    /// Runs lines in the `sqlite3` shell, which goes on after errors; returns its output.
    private static func shell(_ path: String, _ lines: String) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((lines + "\n").utf8))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

/// The findings of SQLite's own checks of pages, indexes, types, NOT NULLs, CHECKs and foreign keys in a damaged file.
struct SQLiteFinding {
    let isSound: Bool
    /// Its first sentence.
    let text: String
}

/// The schema differs from the one before values were written, so that everything after it would fail for that reason
/// alone.
struct SchemaNotRestored: Error {
    let sql: String
    let output: String
}
