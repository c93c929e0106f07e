import Foundation
import GRDB
import PhotoStreamModel

/// An open file of thumbnails.
struct PictureStoreFile: Sendable {
    /// The letters `PhoT`.
    static let applicationID: Int64 = 0x5068_6F54
    /// The version of the tables; a file of another one is replaced.
    static let schemaVersion: Int64 = 1
    /// The maximum wait for another connection's lock.
    static let busyMilliseconds = 5_000

    let path: String
    let pool: DatabasePool
    /// The identity of the open file, which may no longer be at the path.
    let identity: FileIdentity?
    // The context of the connections' busy handlers.
    private let wait: BusyWait

    /// Opens a file, or creates it; sets a damaged one aside, and deletes one of another version.
    ///
    /// - Throws: `DatabaseError`; ``StorageError`` if the file is another program's.
    static func open(_ path: String) throws -> PictureStoreFile {
        for _ in 0..<4 {
            let identity = FileIdentity(path: path)
            do {
                if FileManager.default.fileExists(atPath: path + markSuffix) {
                    try setAside(path, ifStill: identity)
                } else {
                    let file = try PictureStoreFile(path)
                    if try file.pool.read({ try $0.number("PRAGMA user_version") }) == schemaVersion {
                        return file
                    }
                    try remove(path, ifStill: identity)
                }
            } catch let error as DatabaseError where isDamage(error) {
                try setAside(path, ifStill: identity)
            }
        }
        throw StorageError(.corrupt, message: "\(path) is damaged again whenever it is replaced")
    }

    private init(_ path: String) throws {
        self.path = path
        let wait = BusyWait(milliseconds: Self.busyMilliseconds)
        var configuration = Configuration()
        configuration.label = "PhotoStream pictures"
        configuration.maximumReaderCount = OpenFileLimits.ofProcess.pictureReaders
        configuration.prepareDatabase { database in
            wait.install(on: database)
            // The pages must be numbered for vacuuming before the first table is created, which is a write.
            if !database.configuration.readonly { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            // Deleted rows need not be overwritten.
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL;
                    PRAGMA secure_delete = OFF;
                    PRAGMA cache_size = -4096;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA journal_size_limit = 16777216
                    """)
        }
        try Self.checkIsOurs(path)
        try FilePrivacy.create(path)
        pool = try DatabasePool(path: DatabaseOpener.sqlitePath(path), configuration: configuration)
        self.wait = wait
        try pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                guard try database.number("PRAGMA user_version") == 0 else { return .commit }
                try database.execute(sql: PictureStoreTables.schema)
                try database.execute(
                    sql: """
                        PRAGMA application_id = \(Self.applicationID);
                        PRAGMA user_version = \(Self.schemaVersion)
                        """)
                return .commit
            }
        }
        identity = FileIdentity(path: path)
    }

    /// Throws for a valid database of another program, before anything is written to it.
    private static func checkIsOurs(_ path: String) throws {
        guard FileIdentity(path: path) != nil else { return }
        let (identifier, tables): (Int64, Int64)
        do {
            (identifier, tables) = try identify(path, readOnly: true)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // It was deleted meanwhile, or is not readable, which the pool reports.
            return
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            // A process was killed while it changed the file; the first connection that can write rolls that back.
            (identifier, tables) = try identify(path, readOnly: false)
        }
        guard identifier == applicationID || identifier == 0 && tables == 0 else {
            throw StorageError(.notADatabase, message: "\(path) is an SQLite database, but not PhotoStream's pictures")
        }
    }

    /// Returns the damage to the structures of a store, without changing it; `nil` if there is none, or no store.
    ///
    /// Opening the store would set a damaged one aside.
    static func damage(of path: String) -> String? {
        guard FileIdentity(path: path) != nil else { return nil }
        do {
            try checkIsOurs(path)
            let queue = try connection(to: path, readOnly: true)
            defer { try? queue.close() }
            let finding = try queue.inDatabase { try $0.first("PRAGMA quick_check(1)") { $0.text(0) } }
            return finding == "ok" ? nil : finding
        } catch let error as DatabaseError {
            return error.message ?? "\(error)"
        } catch {
            return "\(error)"
        }
    }

    /// Returns a file's application id and its number of tables and indexes.
    private static func identify(_ path: String, readOnly: Bool) throws -> (identifier: Int64, tables: Int64) {
        try connection(to: path, readOnly: readOnly).inDatabase { database in
            (
                try database.number("PRAGMA application_id"),
                try database.number("SELECT count(*) FROM sqlite_schema")
            )
        }
    }

    private static func connection(to path: String, readOnly: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1_000)
        return try DatabaseQueue(path: DatabaseOpener.sqlitePath(path), configuration: configuration)
    }

    /// Whether SQLite reports the file as corrupt, or as no database.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Whether the open file is still the one at its path.
    var isInPlace: Bool { FileIdentity(path: path) == identity }

    /// Runs a closure in one write transaction.
    func write(_ body: (Database) throws -> Void) throws {
        try pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try body(database)
                return .commit
            }
        }
    }

    /// Deletes the file, if it is still in place, and returns another one.
    func replaced() throws -> PictureStoreFile {
        try Self.remove(path, ifStill: identity)
        return try Self.open(path)
    }
}

// MARK: - Damage

extension PictureStoreFile {
    /// The suffix of an empty file next to a damaged one, which the next start sets aside.
    private static let markSuffix = "-damaged"
    /// The suffix of a damaged file whose readable rows have not been copied.
    private static let asideSuffix = ".aside"

    /// Records that the file is damaged.
    func markDamaged() {
        // Without a mark, the next start meets the same damage.
        _ = FileManager.default.createFile(atPath: path + Self.markSuffix, contents: nil)
    }

    /// Copies the readable rows of a file that was set aside, from both ends up to the damage, and deletes it.
    func takeRowsSetAside(budgetBytes: Int64) {
        let aside = path + Self.asideSuffix
        guard FileIdentity(path: aside) != nil else { return }
        if let damaged = try? DatabaseQueue(path: DatabaseOpener.sqlitePath(aside)) {
            for isDescending in [false, true] {
                // The first error of either file ends the copying; thumbnails can be made again.
                try? damaged.inDatabase { database in
                    try PictureStoreTables(database).forEachThumbnail(descending: isDescending) { key, thumbnail, day in
                        try write { database in
                            try PictureStoreTables(database)
                                .add(key: key, [thumbnail], day: day, budgetBytes: budgetBytes)
                        }
                    }
                }
            }
            try? damaged.close()
        }
        for suffix in ["-wal", "-shm", ""] { unsafe unlink(aside + suffix) }
    }

    /// Renames a damaged file and its write-ahead log, if it is still the same.
    private static func setAside(_ path: String, ifStill identity: FileIdentity?) throws {
        try lockingFile(at: path, ifStill: identity) {
            for suffix in ["-wal", ""] where unsafe rename(path + suffix, path + asideSuffix + suffix) != 0 {
                if errno != ENOENT { return false }
            }
            for suffix in ["-shm", markSuffix] { unsafe unlink(path + suffix) }
            return true
        }
    }

    /// Deletes a file and SQLite's two next to it, if it is still the same.
    private static func remove(_ path: String, ifStill identity: FileIdentity?) throws {
        try lockingFile(at: path, ifStill: identity) {
            ["-wal", "-shm", markSuffix, ""].allSatisfy { unsafe unlink(path + $0) == 0 || errno == ENOENT }
        }
    }

    /// Runs a closure with an exclusive lock of a file, if it is still the same.
    ///
    /// If several processes find the same file damaged, none of them then removes the file that another one has just
    /// created.
    ///
    /// - Throws: ``StorageError`` if the closure returns `false`, with the reason in `errno`.
    private static func lockingFile(
        at path: String, ifStill identity: FileIdentity?, _ body: () -> Bool
    ) throws(StorageError) {
        let descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // A mark of a file that was deleted.
            unsafe unlink(path + markSuffix)
            return
        }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0, FileIdentity(path: path) == identity, !body() else { return }
        throw StorageError(
            .readOnly, message: unsafe "\(path) is damaged and cannot be replaced: \(String(cString: strerror(errno)))")
    }
}
