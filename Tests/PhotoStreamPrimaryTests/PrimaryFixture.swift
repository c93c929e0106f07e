import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// A PostgreSQL database with PhotoStream's tables, and files that follow it.
struct PrimaryFixture {
    let server: PostgresServer
    let name: String
    let address: PrimaryAddress
    let primary: PostgresPrimary

    init() throws {
        server = try PostgresServer.shared.get()
        let text = try server.createDatabase()
        name = String(text.split(separator: "/").last ?? "")
        address = try PrimaryAddress(text)
        primary = PostgresPrimary(address)
        _ = try PrimarySchema(connection: try primary.connect()).migrate()
    }

    /// Runs SQL as a person would.
    @discardableResult
    func psql(_ sql: String) throws -> String { try server.psql(sql, database: name) }

    /// A new file that has what the primary has.
    func replica(chunkSize: ChunkSize = .standard) throws -> Replica { try Replica(self, chunkSize: chunkSize) }
}

/// A file that follows a primary.
final class Replica {
    let temporary: TemporaryDatabase
    let database: PhotoDatabase
    let primary: PostgresPrimary

    init(_ fixture: PrimaryFixture, chunkSize: ChunkSize) throws {
        temporary = try TemporaryDatabase()
        primary = PostgresPrimary(fixture.address)
        database = try PhotoDatabase(
            path: temporary.path, access: .readWrite, chunkSize: chunkSize, primary: primary)
        try Bootstrap(primary: primary).run(into: database)
    }

    /// Reads what others have committed.
    func pull() throws {
        let transaction = primary.beginReading()
        defer { transaction.end() }
        try database.pull(from: transaction)
    }

    /// Every row of a shared table, and of the change log, as text.
    func rows(_ table: SharedTable) throws -> [[SharedValue]] {
        try database.read { reader in
            var rows: [[SharedValue]] = []
            try RawStatement(reader.database, sql: "SELECT \(table.columnList) FROM \(table.rawValue) ORDER BY id")
                .forEach { rows.append($0.values(of: table.columns)) }
            return rows
        }
    }

    /// The change log.
    func log() throws -> [[SharedValue]] {
        try database.read { reader in
            var rows: [[SharedValue]] = []
            let columns = SharedTable.changeColumns
            let list = columns.map(\.name).joined(separator: ", ")
            try RawStatement(reader.database, sql: "SELECT \(list) FROM change ORDER BY revision")
                .forEach { rows.append($0.values(of: columns)) }
            return rows
        }
    }
}

/// A record with a size and, where `milliseconds` is given, a capture time.
func record(_ id: String, at milliseconds: Int64? = nil, width: Int = 400, height: Int = 300) throws -> PhotoRecord {
    var record = PhotoRecord(id: try PhotoID(id))
    record.size = .set(.init(try PixelSize(width: width, height: height)))
    if let milliseconds {
        record.takenAt = .set(
            try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond))
    }
    return record
}
