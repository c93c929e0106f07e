import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

extension TestPrimary {
    /// A session as that of another program, which can keep a transaction open.
    func session() throws -> PrimaryConnection { try PrimaryConnection(address, within: .seconds(5)) }

    /// A new file that has what the primary has.
    func replica(chunkSize: ChunkSize = .standard) throws -> Replica { try Replica(of: address, chunkSize: chunkSize) }

    /// The photos and the revisions of the log, oldest first.
    func log() throws -> [(photo: Int64, revision: Int64)] {
        let rows = try session().run(
            [
                PrimaryStatement(
                    sql:
                        "SELECT l.photoId, c.firstRevision + l.place FROM commit c JOIN change l ON l.batch = c.batch ORDER BY 2"
                )
            ], within: .seconds(10))[0]
        return try (0..<rows.count).map { (try rows.integer($0, column: 0), try rows.integer($0, column: 1)) }
    }

    /// Creates the stream `s` with photos `p1`, `p2` and so on, whose row ids are 1, 2 and so on.
    func addPhotos(_ count: Int) throws {
        try psql(
            """
            INSERT INTO stream (name, createdAtMilliseconds) VALUES ('s', 1);
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'p' || i, 40, 30 FROM generate_series(1, \(count)) i
            """)
    }
}

/// A file that follows a primary.
final class Replica: Sendable {
    let temporary: TemporaryDatabase
    let database: PhotoDatabase
    let primary: PostgresPrimary

    init(
        of address: PrimaryAddress, chunkSize: ChunkSize = .standard,
        timeouts: PostgresPrimary.Timeouts = PostgresPrimary.Timeouts(),
        observe: @escaping @Sendable (HeldUp) -> Void = { _ in }
    ) throws {
        temporary = try TemporaryDatabase()
        primary = PostgresPrimary(address, timeouts: timeouts, observe: observe)
        database = try PhotoDatabase(
            path: temporary.path, access: .readWrite, chunkSize: chunkSize, primary: primary)
        try primary.copy(into: database)
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

/// A record with a size and, if `milliseconds` is given, a capture time.
func record(_ id: String, at milliseconds: Int64? = nil, width: Int = 400, height: Int = 300) throws -> PhotoRecord {
    var record = PhotoRecord(id: try PhotoID(id))
    record.size = .set(.init(try PixelSize(width: width, height: height)))
    if let milliseconds {
        record.takenAt = .set(
            try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond))
    }
    return record
}
