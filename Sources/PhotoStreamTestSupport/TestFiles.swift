package import Foundation
package import PhotoStreamModel
package import PhotoStreamPrimary
package import PhotoStreamStorage

/// A temporary folder for a test's database, deleted with its last reference.
package final class TemporaryDatabase: Sendable {
    /// The folder.
    package let folder: String
    /// The path of the database, which need not exist yet.
    package let path: String
    /// The database that decides the writes of the file, if the tests run with one: see ``TestPrimary``.
    package let primary: PostgresPrimary?
    private let database: TestPrimary?

    /// Creates the folder.
    ///
    /// The first ``open(_:busyTimeoutMilliseconds:)`` creates the file.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - shared: The database that the file follows as a replica with its own connection; `nil` for a file without
    ///     one, or for a replica of a new database if all tests run with one.
    /// - Throws: An error if the folder or the replica cannot be created.
    package init(name: String = "photos.sqlite", following shared: TestPrimary? = nil) throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("PhotoStream-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
        path = url.appendingPathComponent(name).path
        database = try shared ?? (TestPrimary.isOn ? TestPrimary() : nil)
        primary = shared.map { PostgresPrimary($0.address) } ?? database?.primary
        if let primary { try ReplicaFile.prepare(path, of: primary) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs SQL in another process: in the `sqlite3` shell, or with `psql` if the file is a replica.
    ///
    /// - Throws: ``RefusedSQL``, ``PostgresFailure``.
    package func write(_ sql: String) throws {
        if let database {
            try database.psql(sql)
            return
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-bail", "-cmd", ".timeout 5000", "-cmd", "PRAGMA foreign_keys = ON", path, sql]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw RefusedSQL(sql: sql) }
    }

    /// SQL that the `sqlite3` shell refuses.
    package struct RefusedSQL: Error {
        /// The SQL.
        package let sql: String
    }

    /// Opens the file, creating it unless `access` forbids it.
    package func open(
        _ access: FileAccess = .readWrite,
        busyTimeoutMilliseconds: Int = 5_000
    ) throws(StorageError) -> PhotoDatabase {
        try PhotoDatabase(
            path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds, primary: primary)
    }
}

/// A file made by version 0.1.0, with moved photos, equal times, dates of every precision, undated photos, a map and a
/// log.
package enum OldFile {
    /// The SQL that creates it, dumped by the `sqlite3` shell.
    package static var sql: String {
        get throws {
            let file = "Tests/PhotoStreamStorageTests/Golden/version-0.1.0.sql"
            return try String(contentsOf: RealData.packageRoot().appending(path: file), encoding: .utf8)
        }
    }

    /// The stream with the photos.
    ///
    /// There are two more: `quiet`, with two photos, and `empty`.
    package static let stream = "photos"
    /// The last revision of the stream, and of the file.
    package static let revision: Int64 = 48
    /// The number of photos in all streams.
    package static let photoCount = 30
    /// A cursor to the second page, with limit 3, of the layout with width 600.
    package static let cursor = """
        AQMAAAAAAAAAYQAAAAAAAABtYXNvbnJ5LTIsbGVuZ3RoPTYwMCxzY2FsZT0xLGluc2V0PTA6MDowOjAsaW50ZXJpdGVtPTAsbGluZT0wLGNhcHRp\
        b249MCxjb2x1bW5zPTQsY2hvaWNlPXNob3J0ZXN0iJCecNwAAAAAAHAAAAAAADAAAAAAAAAAAwAAAQAAAAABAQBkWsIDAChUAVTvXe-9swcRz_XpS5U
        """
}

/// Collections of real metadata next to the package, if available.
///
///     @Test(.enabled(if: RealData.isAvailable())) func `…`() throws {
///         let text = try String(contentsOf: RealData.directory().appending(path: "coco/captions_val2017.json"), …)
package enum RealData {
    /// The folder `../shared/data`, relative to the package root.
    ///
    /// - Parameter caller: A file of the package, above which the manifest is searched. Symbolic links are resolved
    ///   first, so that a package that only links to this one's files works as well.
    /// - Returns: The folder, which need not exist.
    package static func directory(_ caller: String = #filePath) -> URL {
        packageRoot(caller).deletingLastPathComponent().appending(path: "shared/data")
    }

    /// Returns the folder of the package's manifest, found from a file below it.
    package static func packageRoot(_ caller: String = #filePath) -> URL {
        var folder = URL(filePath: caller).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.pathComponents.count > 1, !exists(folder.appending(path: "Package.swift")) {
            folder.deleteLastPathComponent()
        }
        return folder
    }

    /// Whether the collections are available; tests that read them are skipped otherwise.
    package static func isAvailable(_ caller: String = #filePath) -> Bool {
        exists(directory(caller).appending(path: "bl-flickr")) && exists(directory(caller).appending(path: "coco"))
    }

    private static func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }
}

/// A `sqlite3` shell that has a transaction open on a file until it is released.
package final class FileHolder {
    /// The kind of a transaction.
    package enum Kind: String {
        /// A transaction that holds the write lock.
        case write = "BEGIN IMMEDIATE;"
        /// A transaction that reads the contents of the file at its beginning.
        case read = "BEGIN; SELECT count(*) FROM sqlite_schema;"
    }

    private let process = Process()
    private let input = Pipe()

    /// Begins the transaction.
    package init(_ path: String, kind: Kind = .write) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(kind.rawValue)\nSELECT 'held';\n".utf8))
        // The output follows the beginning of the transaction.
        _ = output.fileHandleForReading.availableData
    }

    /// Ends the transaction.
    package func release() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("ROLLBACK;\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
