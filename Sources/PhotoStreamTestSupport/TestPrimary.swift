import Foundation
package import PhotoStreamPrimary

/// A PostgreSQL database with PhotoStream's tables, deleted with its last reference.
///
/// With `PHOTOSTREAM_TESTS_PRIMARY=1` in the environment, every ``TemporaryDatabase`` is a replica of one, so that the tests of
/// the service and of the server run with a primary.
package final class TestPrimary: Sendable {
    /// Whether files of tests are replicas.
    package static let isOn = ProcessInfo.processInfo.environment["PHOTOSTREAM_TESTS_PRIMARY"] == "1"

    private static let template = Result {
        let server = try PostgresServer.shared.get()
        let address = try server.createDatabase()
        _ = try PrimaryAdministration(PrimaryAddress(address)).initialize()
        return String(address.split(separator: "/").last ?? "")
    }

    /// The server.
    package let server: PostgresServer
    /// The name of the database.
    package let name: String
    /// The address.
    package let address: PrimaryAddress
    /// The database, as one process uses it.
    package let primary: PostgresPrimary

    /// Creates the database.
    ///
    /// - Parameter own: A server for this test alone; `nil` for the one that all tests of the process share.
    /// - Throws: ``PostgresFailure``, `PrimaryError`.
    package init(on own: PostgresServer? = nil) throws {
        server = try own ?? PostgresServer.shared.get()
        let text = try server.createDatabase(copying: own == nil ? Self.template.get() : nil)
        if own != nil { _ = try PrimaryAdministration(PrimaryAddress(text)).initialize() }
        name = String(text.split(separator: "/").last ?? "")
        address = try PrimaryAddress(text)
        primary = PostgresPrimary(address)
        // Otherwise all copies of the template would have the same identity.
        try psql(
            """
            UPDATE secret SET cursorKey = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
            UPDATE identity SET value = substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
            """)
    }

    deinit {
        try? drop(copy: name)
    }

    /// Lets a table contain values that this version refuses, as a newer one might.
    package func dropChecks(of table: String) throws {
        try psql(
            """
            DO $$ DECLARE own name; BEGIN
                FOR own IN SELECT conname FROM pg_constraint WHERE conrelid = '\(table)'::regclass AND contype = 'c' LOOP
                    EXECUTE format('ALTER TABLE \(table) DROP CONSTRAINT %I', own);
                END LOOP;
            END $$
            """)
    }

    /// Keeps a copy of the current database under another name.
    ///
    /// - Returns: The name.
    package func keepCopy() throws -> String {
        // A database cannot be copied while there are sessions in it.
        try server.psql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", database: "postgres")
        try server.psql(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'",
            database: "postgres")
        let copy = try server.createDatabase(copying: name)
        try server.psql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", database: "postgres")
        return String(copy.split(separator: "/").last ?? "")
    }

    /// Replaces the database by a copy, like a dump or a disk snapshot that is restored.
    package func restore(copy: String) throws {
        try drop(copy: name)
        try server.psql("CREATE DATABASE \(name) TEMPLATE \(copy)", database: "postgres")
    }

    /// Deletes a copy.
    package func drop(copy: String) throws {
        try server.psql("DROP DATABASE \(copy) WITH (FORCE)", database: "postgres")
    }

    /// Runs SQL as a person would.
    @discardableResult
    package func psql(_ sql: String) throws -> String { try server.psql(sql, database: name) }
}
