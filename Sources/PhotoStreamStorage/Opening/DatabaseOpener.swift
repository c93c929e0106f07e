import Foundation
import GRDB
import PhotoStreamModel

/// Opens and configures the connections of a ``PhotoDatabase``, or throws the reason why it cannot.
struct DatabaseOpener {
    let path: String
    let access: FileAccess
    let busyTimeoutMilliseconds: Int
    let mapsFile: Bool
    let file: OpenFile

    /// The maximum number of bytes that a connection maps into memory.
    private static let maximumMappedByteCount = 256 << 20

    /// Checks, opens and, unless read-only, migrates the file.
    ///
    /// - Parameter willUpdate: Called before the schema of an older file is brought up to date.
    /// - Returns: The connections.
    /// - Throws: `StorageError` or `DatabaseError`.
    func open(willUpdate: (FileUpdate) -> Void) throws -> DatabasePool {
        let isNew = try FileCheck(path: path, access: access).run()
        guard access != .readOnly else { return try openForReading() }
        if isNew {
            try FilePrivacy.create(path)
        } else {
            // Inspect the file before creating the pool, which switches it to WAL mode: another program's file must not
            // be changed.
            if let update = try inspectRecovering() { willUpdate(update) }
        }
        let pool = try retryingWhileBusy {
            try DatabasePool(path: sqlitePath, configuration: configuration(readOnly: false))
        }
        try SchemaMigrator(path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds).migrate(pool)
        return pool
    }

    /// The configuration of the connection that inspects the file.
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
            // A file in WAL mode needs two more files next to it. If they cannot be created, no other process can be
            // writing either, so the file may be read as immutable.
            return try openForReading(at: immutableURI)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY && isAtRest {
            return try openForReading(at: immutableURI)
        }
    }

    /// Reads a file of any version, without changing it, through one connection.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - busyTimeoutMilliseconds: The maximum wait for another program's lock.
    ///   - leavesNoFiles: Whether a file that no program has open is read without SQLite's files next to it, which a
    ///     connection that only reads cannot remove.
    ///   - purpose: The verb in errors, such as `read`.
    ///   - body: Reads through the connection.
    /// - Returns: The result of the body.
    /// - Throws: ``StorageError``.
    static func readAsItIs<Value>(
        _ path: String, busyTimeoutMilliseconds: Int = 5_000, leavesNoFiles: Bool = false, purpose: String = "read",
        through body: (DatabaseQueue) throws -> Value
    ) throws(StorageError) -> Value {
        let opener = DatabaseOpener(
            path: path, access: .readOnly, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: false,
            file: OpenFile(path: path))
        do {
            let connection = try opener.openAsItIs(leavesNoFiles: leavesNoFiles)
            defer { try? connection.close() }
            return try body(connection)
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch {
            throw StorageError(.database, message: "\(path) cannot be \(purpose): \(error)")
        }
    }

    private func openAsItIs(leavesNoFiles: Bool) throws -> DatabaseQueue {
        _ = try FileCheck(path: path, access: .readOnly).run()
        func open(at sqlitePath: String) throws -> DatabaseQueue {
            let connection = try DatabaseQueue(path: sqlitePath, configuration: inspectingConfiguration)
            try connection.inDatabase { try $0.run("SELECT 1 FROM sqlite_schema LIMIT 1") }
            return connection
        }
        if leavesNoFiles, isAtRest { return try open(at: immutableURI) }
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
        let connection = try DatabaseQueue(path: sqlitePath, configuration: inspectingConfiguration)
        let missing = try connection.read { try OlderSchema($0) }
        try connection.close()
        let pool = try DatabasePool(
            path: sqlitePath, configuration: configuration(readOnly: true, completing: missing))
        // The pool opens its readers lazily; this fails now if they cannot be opened.
        try pool.read { _ in }
        return pool
    }

    /// Whether the file itself contains all committed data and nothing else.
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

    /// The path for SQLite, which must not look like a URI or an in-memory database.
    static func sqlitePath(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

    private var sqlitePath: String { Self.sqlitePath(path) }

    private var timeout: TimeInterval { Double(busyTimeoutMilliseconds) / 1_000 }

    /// Inspects the file through a separate read-only connection.
    ///
    /// - Returns: The required update, if the file is of an older version.
    private func inspectWaiting(_ sqlitePath: String) throws -> FileUpdate? {
        let connection = try DatabaseQueue(path: sqlitePath, configuration: inspectingConfiguration)
        defer { try? connection.close() }
        return try connection.read { database in
            try SchemaInspector(path: path, access: access).inspect(database)
        }
    }

    /// Inspects the file, after recovering from a process that was killed.
    ///
    /// Recovery is only needed if that happened in the very first moments of the file, before it was in WAL mode. It
    /// takes a connection that can write.
    private func inspectRecovering() throws -> FileUpdate? {
        do {
            return try inspectWaiting(sqlitePath)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            var configuration = inspectingConfiguration
            configuration.readonly = false
            let connection = try DatabaseQueue(path: sqlitePath, configuration: configuration)
            try connection.inDatabase { try $0.run("SELECT 1 FROM sqlite_schema LIMIT 1") }
            try connection.close()
            // After recovery the file may be as empty as at first.
            return try FileCheck(path: path, access: access).run() ? nil : inspectWaiting(sqlitePath)
        }
    }

    /// The configuration of the pool's connections.
    ///
    /// - Parameters:
    ///   - readOnly: Whether they only read.
    ///   - missing: The tables and columns that an older file lacks.
    /// - Returns: The configuration.
    func configuration(readOnly: Bool, completing missing: OlderSchema? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.label = "PhotoStream"
        configuration.maximumReaderCount = OpenFileLimits.ofProcess.databaseReaders
        configuration.busyMode = .timeout(timeout)
        let wait = BusyWait(milliseconds: busyTimeoutMilliseconds)
        configuration.prepareDatabase { [file, mapsFile, sql = missing?.sql ?? ""] database in
            // GRDB sets its own busy timeout on the pool's readers; this overrides it.
            wait.install(on: database)
            // A connection that is opened later must not open another file at the same path.
            try file.checkIsNotReplaced()
            // The writer's cache serves imports; a reader's working set is a page or a chunk.
            let cacheKilobytes = database.configuration.readonly ? 4_096 : 49_152
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL;
                    PRAGMA cache_size = -\(cacheKilobytes);
                    PRAGMA temp_store = MEMORY;
                    PRAGMA mmap_size = \(mapsFile ? Self.maximumMappedByteCount : 0);
                    \(WriteAheadLog.usual.sql)
                    """
            )
            if !sql.isEmpty { try database.execute(sql: sql) }
        }
        return configuration
    }

    /// Calls `body` until it succeeds or the busy timeout is over.
    ///
    /// SQLite does not wait if two connections switch a new file to WAL mode at once.
    private func retryingWhileBusy<T>(_ body: () throws -> T) throws -> T {
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(busyTimeoutMilliseconds))
        while true {
            do {
                return try body()
            } catch let error as DatabaseError where StorageError.isBusy(error) && ContinuousClock.now < deadline {
                // Another process may be the one that switches the mode, and nothing reports the end of that.
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }
}
