import Foundation
import GRDB
import PhotoStreamModel

/// Opens a file the way a ``PhotoDatabase`` needs it, or says in one sentence why it cannot.
struct DatabaseOpener {
    let path: String
    let access: FileAccess
    let busyTimeoutMilliseconds: Int
    let mapsFile: Bool
    let file: OpenFile

    /// The bytes of the file that a connection maps into memory at most.
    private static let maximumMappedByteCount = 256 << 20

    /// Checks, opens and, unless for reading only, migrates the file.
    ///
    /// - Parameter willUpdate: Called before a file of an older version is brought up to date.
    /// - Returns: The connections.
    /// - Throws: `StorageError` or `DatabaseError`.
    func open(willUpdate: (SchemaUpdate) -> Void) throws -> DatabasePool {
        let isNew = try FileCheck(path: path, access: access).run()
        guard access != .readOnly else { return try openForReading() }
        if !isNew {
            // Before the pool is made: that switches the file to WAL mode, and another program's file is not ours to
            // change.
            if let update = try inspectRecovering() { willUpdate(update) }
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

    /// Opens the file for reading by one connection, whatever version made it.
    func openAsItIs() throws -> DatabaseQueue {
        _ = try FileCheck(path: path, access: .readOnly).run()
        func open(at sqlitePath: String) throws -> DatabaseQueue {
            let connection = try DatabaseQueue(path: sqlitePath, configuration: inspectingConfiguration)
            try connection.inDatabase { try RawStatement($0, "SELECT 1 FROM sqlite_schema LIMIT 1").run() }
            return connection
        }
        do {
            return try open(at: sqlitePath)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && isAtRest
        {
            return try open(at: immutableURI)
        }
    }

    private func openForReading(at sqlitePath: String) throws -> DatabasePool {
        _ = try inspectWaiting(sqlitePath)
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
    ///
    /// - Returns: What it takes to bring the file up to date, where it is of an older version.
    private func inspectWaiting(_ sqlitePath: String) throws -> SchemaUpdate? {
        let connection = try DatabaseQueue(path: sqlitePath, configuration: inspectingConfiguration)
        defer { try? connection.close() }
        return try connection.read { database in
            try SchemaInspector(path: path, access: access).inspect(database)
        }
    }

    /// Looks at the file, and takes back first what a process that was killed has left unfinished in it.
    ///
    /// Only the very first moments of a file, before it is in WAL mode, can leave that; it takes a connection that
    /// writes.
    private func inspectRecovering() throws -> SchemaUpdate? {
        do {
            return try inspectWaiting(sqlitePath)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            var configuration = inspectingConfiguration
            configuration.readonly = false
            let connection = try DatabaseQueue(path: sqlitePath, configuration: configuration)
            try connection.inDatabase { try RawStatement($0, "SELECT 1 FROM sqlite_schema LIMIT 1").run() }
            try connection.close()
            // What is left may be as empty as before the first byte was written.
            return try FileCheck(path: path, access: access).run() ? nil : inspectWaiting(sqlitePath)
        }
    }

    /// What the connections that serve are opened with.
    func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.label = "PhotoStream"
        // Folds and scans on all processors may hold one each; questions that need none shall not wait for them.
        configuration.maximumReaderCount = ProcessInfo.processInfo.activeProcessorCount + 10
        configuration.busyMode = .timeout(timeout)
        let wait = BusyWait(milliseconds: busyTimeoutMilliseconds)
        configuration.prepareDatabase { [file, mapsFile] database in
            // GRDB gives the readers of a pool a busy timeout of its own choice; all are to have ours.
            wait.install(on: database)
            // A connection that is opened late must not be one to another file.
            try file.checkIsNotReplaced()
            // The writer is the connection that an import fills; a reader's working set is a page or a chunk.
            let cacheKilobytes = database.configuration.readonly ? 4_096 : 65_536
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL;
                    PRAGMA cache_size = -\(cacheKilobytes);
                    PRAGMA temp_store = MEMORY;
                    PRAGMA mmap_size = \(mapsFile ? Self.maximumMappedByteCount : 0);
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
