import Foundation
import GRDB

/// Opens a file the way a ``PhotoDatabase`` needs it, or says in one sentence why it cannot.
struct DatabaseOpener {
    let path: String
    let access: PhotoDatabase.Access
    let busyTimeoutMilliseconds: Int

    /// Checks, opens and, unless for reading only, migrates the file.
    ///
    /// - Throws: `StorageError` or `DatabaseError`.
    func open() throws -> DatabasePool {
        let isNew = try FileCheck(path: path, access: access).run()
        guard access != .readOnly else { return try openForReading() }
        if !isNew {
            // Before the pool is made: that switches the file to WAL mode, and another program's file is not ours to
            // change.
            try inspectRecovering()
        }
        let pool = try retryingWhileBusy {
            try DatabasePool(path: sqlitePath, configuration: configuration(readOnly: false))
        }
        try SchemaMigrator(path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds).migrate(pool)
        return pool
    }

    /// What the connection that looks at the file first is opened with.
    private var inspectingConfiguration: Configuration {
        var inspecting = Configuration()
        inspecting.readonly = true
        inspecting.busyMode = .timeout(timeout)
        return inspecting
    }

    // MARK: - Reading only

    private func openForReading() throws -> DatabasePool {
        do {
            return try openForReading(at: sqlitePath)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN && isAtRest {
            // A file in WAL mode asks for two files beside it. Where they cannot be made, nobody else can be writing
            // either, so the file may be taken as it stands.
            return try openForReading(at: immutableURI)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY && isAtRest {
            return try openForReading(at: immutableURI)
        }
    }

    private func openForReading(at sqlitePath: String) throws -> DatabasePool {
        try inspectWaiting(sqlitePath)
        let pool = try DatabasePool(path: sqlitePath, configuration: configuration(readOnly: true))
        // The pool opens its readers late; this finds out now whether they can be.
        try pool.read { _ in }
        return pool
    }

    /// Whether all that was committed, and nothing else, is in the file itself.
    private var isAtRest: Bool {
        ["-wal", "-journal"].allSatisfy { ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + ending)
            return (attributes?[.size] as? Int ?? 0) == 0
        }
    }

    private var immutableURI: String {
        var escaped = "file:"
        for byte in sqlitePath.utf8 {
            switch byte {
            case UInt8(ascii: "%"): escaped += "%25"
            case UInt8(ascii: "?"): escaped += "%3f"
            case UInt8(ascii: "#"): escaped += "%23"
            case 0x80...: escaped += "%" + String(byte, radix: 16)
            default: escaped.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return escaped + "?immutable=1"
    }

    // MARK: - Connections

    /// The path as SQLite gets it: never one that it takes for a URI or for a database in memory.
    private var sqlitePath: String {
        path.hasPrefix("/") ? path : "./" + path
    }

    private var timeout: TimeInterval { Double(busyTimeoutMilliseconds) / 1_000 }

    /// Looks at the file through a connection of its own that changes nothing.
    private func inspectWaiting(_ sqlitePath: String) throws {
        let connection = try DatabaseQueue(path: sqlitePath, configuration: inspectingConfiguration)
        defer { try? connection.close() }
        try connection.read { database in
            try SchemaInspector(path: path, access: access).inspect(database)
        }
    }

    /// Looks at the file, and takes back first what a process that was killed has left unfinished in it.
    ///
    /// Only the very first moments of a file, before it is in WAL mode, can leave that; it takes a connection that
    /// writes.
    private func inspectRecovering() throws {
        do {
            try inspectWaiting(sqlitePath)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            var configuration = inspectingConfiguration
            configuration.readonly = false
            let connection = try DatabaseQueue(path: sqlitePath, configuration: configuration)
            try connection.inDatabase { try RawStatement($0, "SELECT 1 FROM sqlite_schema LIMIT 1").run() }
            try connection.close()
            // What is left may be as empty as before the first byte was written.
            if try !FileCheck(path: path, access: access).run() { try inspectWaiting(sqlitePath) }
        }
    }

    /// What the connections that serve are opened with.
    func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.label = "PhotoStream"
        // Two long folds may hold one each; questions that need none shall not wait for them.
        configuration.maximumReaderCount = 10
        configuration.busyMode = .timeout(timeout)
        configuration.prepareDatabase { [busyTimeoutMilliseconds] database in
            // The writer is the connection that an import fills; a reader's working set is a page or a chunk.
            let cacheKilobytes = database.configuration.readonly ? 4_096 : 65_536
            // Memory-mapped reading, at most 256 MB.
            // GRDB gives the readers of a pool a busy timeout of its own choice; all shall have ours.
            try database.execute(
                sql: """
                    PRAGMA busy_timeout = \(busyTimeoutMilliseconds);
                    PRAGMA synchronous = NORMAL;
                    PRAGMA cache_size = -\(cacheKilobytes);
                    PRAGMA temp_store = MEMORY;
                    PRAGMA mmap_size = 268435456;
                    \(WriteAheadLog.usual.sql)
                    """
            )
        }
        return configuration
    }

    /// Calls `body` until it succeeds or the busy timeout is over.
    ///
    /// SQLite does not wait by itself when two connections want to switch one new file to WAL mode.
    private func retryingWhileBusy<T>(_ body: () throws -> T) throws -> T {
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(busyTimeoutMilliseconds))
        while true {
            do {
                return try body()
            } catch let error as DatabaseError where StorageError.isBusy(error) && ContinuousClock.now < deadline {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }
}
