import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport

@testable import PhotoStreamService

/// A file that has some of everything, to be copied and damaged.
struct DamageBase {
    static let keys = [0, 3, 5, 6, 7, 8, 9]
    static let chunkSize = ChunkSize(minimum: 8, target: 16, maximum: 32)
    static let other = StreamName(stored: "other")

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
        try gallery.insert(120, using: &random)
        let service = gallery.service
        try service.createStream(Self.other)
        try gallery.shell(
            """
            INSERT INTO photo (streamId, externalId, width, height, caption) VALUES (2, 'a', 4, 3, 'c'), (2, 'b', 3, 4, NULL);
            INSERT INTO importRun VALUES (1, 1, '["a.json"]', 1, 2, 3, 4, 5, 6, 7, 8, 9);
            INSERT INTO importFailure VALUES (1, 1, 'a.json', 2, 3, 'x', 'no id');
            INSERT INTO root VALUES (1, 1, '/srv', '/srv', 'machine', 5);
            """)
        revision = try service.read { try $0.stream(Gallery.stream) }.revision
        for number in Self.keys {
            let key = try LayoutKey(SampleLayouts.configurations[number])
            _ = try service.warm(Gallery.stream, key)
            for index in [0, 60, 119] { _ = try service.read { try $0.item(at: index, of: Gallery.stream, key) } }
        }
        _ = try service.movePhoto(
            PhotoID(stored: "photo-5"), .before(PhotoID(stored: "photo-50")), in: Gallery.stream)
        try service.deletePhotos([PhotoID(stored: "photo-77")], from: Gallery.stream)
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
        "streamIndex", "chunk", "chunkContent", "layout", "layoutChunk", "layoutFrames",
    ]
}

/// One way to damage a file.
enum Damage: CustomStringConvertible {
    /// Values that another program writes with the checks off.
    case values(table: String, sql: String)
    /// Bytes of the file that are others.
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

    /// What is put into columns: the ends of each integer and what no column of ours holds.
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

    /// Writes a damaged copy.
    func write(_ base: DamageBase, to path: String) throws {
        var bytes = base.bytes
        switch self {
        case .bytes(let changes): for change in changes { bytes[change.offset] ^= change.byte | 1 }
        case .truncation(let count): bytes = bytes.prefix(count)
        case .values, .part: break
        }
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        try bytes.write(to: URL(fileURLWithPath: path))
        switch self {
        case .values(_, let sql):
            let words = sql.split(separator: " ", maxSplits: 1)
            // The schema forgets its types, checks and NOT NULLs while the values are written.
            try Self.shell(
                path, [".dbconfig enable_trigger \(words[0])"],
                """
                PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
                CREATE TEMP TABLE saved AS SELECT name, type, sql FROM sqlite_schema;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, ' STRICT, ', ' '), ') STRICT', ')'),
                    'INTEGER NOT NULL', 'INTEGER'), 'TEXT NOT NULL', 'TEXT') WHERE type = 'table' AND name NOT LIKE 'sqlite_%';
                PRAGMA writable_schema = RESET;
                \(words[1]);
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = (SELECT sql FROM saved WHERE saved.name = sqlite_schema.name
                    AND saved.type = sqlite_schema.type) WHERE type = 'table' AND name NOT LIKE 'sqlite_%';
                PRAGMA writable_schema = RESET;
                """)
        case .part(let kind, let name, let sql): try Self.shell(path, [], "DROP \(kind) \(name); \(sql)")
        case .bytes, .truncation: break
        }
    }

    /// Runs SQL in the `sqlite3` shell, whatever it says.
    private static func shell(_ path: String, _ commands: [String], _ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path] + commands + [sql]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }
}
