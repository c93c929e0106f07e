import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamStorage

/// Random edits by all kinds of writers.
@Suite(.enabled(if: PostgresServer.isAvailable))
struct ReplicaLawTests {
    private static let stream = StreamName(stored: "s")

    /// One random edit of a stream with the row id 1, the same for every database with the same photos.
    private static func edit(_ writer: PhotoWriter, number: Int, using random: inout SplitMix64) throws {
        let photos = try writer.reader.photos(streamID: 1, after: nil, limit: .max).map(\.photo)
        let kind = random.int(in: 0...9)
        guard kind > 2, photos.count > 3 else {
            for item in 0..<random.int(in: 1...6) {
                let time = random.oneIn(4) ? nil : Int64(random.int(in: 0...9)) * 1_000
                _ = try writer.add(
                    streamID: 1, record: record("p\(number)-\(item)", at: time, width: random.int(in: 100...900)))
            }
            return
        }
        let (photo, other) = (random.element(of: photos), random.element(of: photos))
        var change = PhotoRecord(id: photo.id)
        switch kind {
        case 3, 4: try writer.deletePhotos(streamID: 1, ids: [photo.id, other.id], now: Int64(number))
        case 5:
            let deleted =
                (try writer.reader.deletedPhotos(streamID: 1, after: nil, limit: 9, within: .max)?.photos ?? [])
                .map(\.photo.id)
            if !deleted.isEmpty { _ = try writer.restorePhoto(streamID: 1, id: random.element(of: deleted)) }
        case 6 where photo.id != other.id, 7 where photo.id != other.id:
            _ = try writer.move(
                streamID: 1, id: photo.id, to: random.oneIn(2) ? .before(other.id) : .after(other.id))
        case 8:
            change.caption = photo.caption == nil ? .set("caption \(number)") : .clear
            _ = try writer.edit(streamID: 1, record: change)
        default:
            change.takenAt = .set(
                try CaptureTime(
                    milliseconds: Int64(random.int(in: 0...9)) * 1_000, utcOffsetMinutes: nil, precision: .millisecond))
            _ = try writer.edit(streamID: 1, record: change)
        }
    }

    @Test(arguments: 1...6) func `edits have the same result in SQLite and in PostgreSQL`(seed: UInt64) throws {
        let (file, primary) = (try TemporaryDatabase(), try TestPrimary())
        let (alone, replica) = (try file.open(), try primary.replica())
        var revisions: [(Int64, Int64)] = []
        for database in [alone, replica.database] {
            _ = try database.write { try $0.createStream(named: Self.stream, now: 7) }
        }
        for number in 1...40 {
            for database in [alone, replica.database] {
                // The same numbers for both.
                var random = SplitMix64(seed: seed &* 1_000 &+ UInt64(number))
                for part in 0..<random.int(in: 1...3) {
                    try database.write { try Self.edit($0, number: number * 10 + part, using: &random) }
                }
            }
            revisions.append(
                (
                    try alone.read { try $0.lastRevision() ?? 0 },
                    try replica.database.read { try $0.lastRevision() ?? 0 }
                ))
        }
        func photos(_ database: PhotoDatabase) throws -> [Photo] {
            try database.read { try $0.photos(streamID: 1, after: nil, limit: .max).map(\.photo) }
        }
        #expect(try photos(alone) == photos(replica.database))
        // The ids of rows may differ, and with them ranks; what happened to each photo may not.
        func net(_ database: PhotoDatabase, after revision: Int64) throws -> [PhotoID: [String]] {
            try database.read { reader in
                try reader.netChanges(streamID: 1, after: revision).reduce(into: [:]) { changes, change in
                    changes[change.id] = [
                        "\(change.past == nil)", "\(change.present == nil)", "\(change.isUpdated)",
                        "\(String(describing: change.past?.metrics))", "\(String(describing: change.past?.key.time))",
                        "\(String(describing: change.present?.time))",
                    ]
                }
            }
        }
        for (ofFile, ofReplica) in revisions {
            #expect(try net(alone, after: ofFile) == net(replica.database, after: ofReplica))
        }
    }

    /// A replica with a service, whose history is its own.
    private final class Server {
        let replica: Replica
        var service: PhotoStreamService

        init(_ primary: TestPrimary) throws {
            replica = try primary.replica()
            service = try Self.service(replica)
        }

        func restart() throws {
            try service.close()
            service = try Self.service(replica)
        }

        private static func service(_ replica: Replica) throws -> PhotoStreamService {
            try PhotoStreamService(path: replica.temporary.path, access: .existing, primary: replica.primary) { 1 }
        }

        /// Everything that clients can ask, as text.
        func answers(_ revisions: [Int64]) throws -> [String] {
            try replica.pull()
            let keys = try [
                LayoutKey(LayoutConfiguration(containerLength: 1_200)),
                LayoutKey(LayoutConfiguration(containerLength: 700, algorithm: .justified(.init()))),
            ]
            let revisions = try replica.database.read { reader in try revisions.map { try reader.tagged($0) } }
            return try service.read { session in
                var answers: [String] = []
                for key in keys {
                    var page = try session.layout(key, of: stream).page(limit: 7)
                    answers.append("\(page)")
                    while let cursor = page.nextCursor {
                        page = try session.layout(of: stream, after: cursor).page(.after(cursor), limit: 7)
                        answers.append("\(page)")
                    }
                    for revision in revisions {
                        let rect = Rect(x: 0, y: 100, width: 1_200, height: 500)
                        answers.append(
                            "\(try session.layout(key, of: stream).updates(since: revision, in: rect))")
                    }
                }
                answers += try revisions.map { "\(try session.changes(of: stream, since: $0))" }
                answers.append("\(try session.stream(stream)) \(try session.state(of: stream).revision.state)")
                return answers
            }
        }
    }

    @Test(arguments: 1...4) func `replicas with different histories return the same answers`(seed: UInt64) throws {
        let primary = try TestPrimary()
        var random = SplitMix64(seed: seed)
        var servers = [try Server(primary), try Server(primary)]
        try servers[0].replica.database.write { _ = try $0.createStream(named: Self.stream, now: 7) }
        var revisions: [Int64] = [0]
        for number in 1...60 {
            switch random.int(in: 0...9) {
            case 0: servers[1] = try Server(primary)
            case 1: try servers[0].restart()
            case 2: _ = try servers[random.int(in: 0...1)].answers(revisions)
            case 3:
                try random.element(of: servers).replica.pull()
                for server in servers { try server.service.storeDerived() }
            case 4:
                try primary.psql(
                    """
                    UPDATE photo SET width = width % 700 + 101 WHERE id % 5 = \(number % 5);
                    INSERT INTO photo (streamId, externalId, width, height) VALUES (1, 'sql-\(number)', 500, 400)
                    """)
            default:
                let database = random.element(of: servers).replica.database
                try database.write { try Self.edit($0, number: number, using: &random) }
            }
            if random.oneIn(5) { revisions.append(try servers[0].replica.database.read { try $0.lastRevision() ?? 0 }) }
        }
        for server in servers { try server.replica.pull() }
        #expect(try servers[0].answers(revisions) == servers[1].answers(revisions))
        for table in SharedTable.allCases {
            #expect(try servers[0].replica.rows(table) == servers[1].replica.rows(table), "\(table)")
        }
        #expect(try servers[0].replica.log() == servers[1].replica.log())
    }
}
