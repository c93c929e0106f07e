import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Rows with the least and the greatest numbers that a file or a primary accepts, which another program has written.
///
/// `PHOTOSTREAM_EXTREME_ROWS=1000 swift test --filter ExtremeRowTests` writes more of them.
@Suite struct ExtremeRowTests {
    /// The ends of the range and of narrower ones, none of them a multiple of the step between ranks but 0.
    private static let extremes: [Int64] = [
        -9_223_372_036_854_775_808, -9_223_372_036_854_775_807, -9_223_372_036_853_727_233, -4_611_686_018_427_387_905,
        -9_007_199_254_740_993, -1, 0, 1, 2_147_483_649, 9_007_199_254_740_993, 4_611_686_018_427_387_905,
        9_223_372_036_853_727_231, 9_223_372_036_854_775_806, 9_223_372_036_854_775_807,
    ]

    /// Writes as another program does.
    ///
    /// - Returns: Whether the database accepts it.
    private static func write(_ sql: String, to server: TestServer) -> Bool {
        do {
            try server.file.write(sql)
            return true
        } catch {
            return false
        }
    }

    private static func ids(_ server: TestServer) throws -> [String] {
        let answer = try server.client("GET", "/v1/streams/gallery/photos?limit=1000")
        let photos = try #require(answer.json["photos"] as? [[String: Any]], "\(answer.text)")
        return photos.compactMap { $0["id"] as? String }
    }

    @Test(arguments: [StreamOrder.newest, .manual])
    func `a photo moves next to any position that the database accepts`(order: StreamOrder) async throws {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream, order: order)
        try TestServer.load(SampleRecords.records(12), into: TestServer.stream, of: file)
        try await TestServer.with(service, file) { server in
            let own =
                server.file.primary == nil
                ? "ownOrderTime"
                : "ownOrderTime(streamOrder, takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision)"
            var accepted = 0
            for time in Self.extremes {
                for rank in Self.extremes where rank % OrderKey.rankStep != 0 {
                    let isWritten = Self.write(
                        """
                        UPDATE photo SET movedTime = \(time), movedRank = \(rank), movedFromOrderTime = \(own)
                        WHERE externalId = 'photo-4'
                        """, to: server)
                    guard isWritten else { continue }
                    accepted += 1
                    for (place, distance) in [("before", -1), ("after", 1)] {
                        let answer = try server.client(
                            "POST", "/v1/streams/gallery/photos/photo-5/move", ["Content-Type": "application/json"],
                            body: Array(#"{"\#(place)":"photo-4","also":["photo-7"]}"#.utf8))
                        #expect(answer.status == 200, "\(time) \(rank): \(answer.text)")
                        let ids = try Self.ids(server)
                        let (moved, also) = (ids.firstIndex(of: "photo-5"), ids.firstIndex(of: "photo-7"))
                        let anchor = try #require(ids.firstIndex(of: "photo-4"))
                        let first = distance < 0 ? anchor - 2 : anchor + 1
                        #expect(moved == first && also == first + 1, "\(place) \(time) \(rank): \(ids)")
                        #expect(ids.count == 12)
                    }
                }
            }
            #expect(accepted > 100)
        }
    }

    @Test func `every route answers for any number in any column`() async throws {
        let limit = ProcessInfo.processInfo.environment["PHOTOSTREAM_EXTREME_ROWS"].flatMap(Int.init) ?? 240
        try await TestServer.with(photos: 60) { server in
            var random = SplitMix64(seed: 33)
            let ids = (20..<30).filter { $0 % 10 != 3 }.map { PhotoID(stored: "photo-\($0)") }
            try server.service.deletePhotos(ids, from: TestServer.stream)
            try server.service.createStream(StreamName(stored: "empty"))
            var writes: [(table: SharedTable, column: SharedTable.Column, value: Int64)] = []
            for table in SharedTable.allCases where table != .secret {
                for column in table.columns where column.kind == .integer {
                    writes += Self.extremes.map { (table, column, $0) }
                }
            }
            var accepted: [String] = []
            var counts: [SharedTable: Int] = [:]
            for (table, column, value) in writes.shuffled(using: &random).prefix(limit) {
                _ = Self.write(Self.rowIfEmpty(of: table, isPostgres: server.file.primary != nil), to: server)
                let row =
                    "ORDER BY id LIMIT 1 OFFSET \(random.int(in: 0...11)) % (SELECT count(*) FROM \(table.rawValue))"
                let update = """
                    UPDATE \(table.rawValue) SET \(column.name) = \(value)
                    WHERE id = (SELECT id FROM \(table.rawValue) \(row))
                    """
                // Rows of some tables cannot be changed, but another program may have inserted any.
                let values = table.columns.map { $0 == column ? "\(value)" : $0.name }.joined(separator: ", ")
                let replacement =
                    server.file.primary == nil
                    ? """
                    INSERT OR REPLACE INTO \(table.rawValue) (\(table.columnList))
                    SELECT \(values) FROM \(table.rawValue) \(row)
                    """
                    : """
                    WITH old AS (DELETE FROM \(table.rawValue) WHERE id = (SELECT id FROM \(table.rawValue) \(row)) RETURNING *)
                    INSERT INTO \(table.rawValue) (\(table.columnList)) SELECT \(values) FROM old
                    """
                let isUpdated = Self.write(update, to: server)
                guard isUpdated || Self.write(replacement, to: server) else { continue }
                accepted.append(isUpdated ? update : replacement)
                counts[table, default: 0] += 1
                if accepted.count.isMultiple(of: 8) { try Self.askAll(server, after: accepted) }
            }
            try Self.askAll(server, after: accepted)
            let untouched = SharedTable.allCases.filter { $0 != .secret && counts[$0] == nil }
            #expect(untouched == [] && accepted.count > limit / 4, "\(counts)")
        }
    }

    /// SQL that inserts a row into an empty table.
    private static func rowIfEmpty(of table: SharedTable, isPostgres: Bool) -> String {
        let stream = "(SELECT min(id) FROM stream)"
        func bytes(_ count: Int) -> String {
            isPostgres ? "decode('\(String(repeating: "00", count: count))', 'hex')" : "zeroblob(\(count))"
        }
        let hash = bytes(32)
        let (columns, values) =
            switch table {
            case .declaredRoot: ("streamId, path, resolvedPath, addedAtMilliseconds", "\(stream), '/p', '/p', 1")
            case .tombstone:
                (
                    "streamId, byteCount, hash, externalId, deletedAtMilliseconds, isPruned",
                    "\(stream), 10, \(hash), 'gone', 1, 0"
                )
            case .importRun: ("streamId, sources, startedAtMilliseconds", "\(stream), '[\"a\"]', 1")
            case .importFailure:
                ("importRunId, source, line, \"column\", reason", "(SELECT min(id) FROM importRun), 'a', 1, 1, 'why'")
            case .token:
                ("name, hashStart, hash, scope, createdAtMilliseconds", "'t', 1, \(hash), 0, 1")
            case .share:
                (
                    "name, hashStart, hash, streamId, showsPositions, showsNames, sendsOriginals, createdAtMilliseconds",
                    "'s', 1, \(hash), \(stream), 0, 0, 0, 1"
                )
            case .session:
                (
                    "hashStart, hash, tokenId, isLink, createdAtMilliseconds, expiresAtMilliseconds",
                    "1, \(hash), (SELECT min(id) FROM token), 0, 1, 9000000000000"
                )
            case .picture:
                (
                    "id, streamId, byteCount, modifiedNanoseconds, orientation, hash, pictureKey",
                    "(SELECT min(id) FROM photo WHERE streamId = \(stream)), \(stream), 10, 10, 1, \(hash), \(bytes(16))"
                )
            case .pictureRevision:
                ("id, revision, raisedAtMilliseconds, isDue, tag, nextTag", "\(stream), 1, 1, 0, 1, 2")
            // They are never empty.
            case .secret, .stream, .photo, .deletedPhoto: ("id", "id")
            }
        return """
            INSERT INTO \(table.rawValue) (\(columns)) SELECT \(values)
            WHERE NOT EXISTS (SELECT 1 FROM \(table.rawValue))
            """
    }

    /// Asks every operation, and moves photos next to each other.
    private static func askAll(_ server: TestServer, after writes: [String]) throws {
        func ask(_ sample: RouteCodeTests.Sample) throws {
            let answer = try RouteCodeTests.send(sample, server)
            #expect(
                answer.status > 0 && answer.status < 500,
                "\(sample.target): \(answer.text.prefix(300)) after \(writes.suffix(8))")
        }
        for (name, sample) in RouteCodeTests.samples.sorted(by: { $0.key < $1.key }) {
            // Nothing is left to ask for afterwards; events do not end.
            if !["deleteStream", "getEvents"].contains(name) { try ask(sample) }
        }
        for number in 1...12 {
            for place in ["before", "after"] {
                var sample = try #require(RouteCodeTests.samples["movePhoto"])
                sample.target = "/v1/streams/gallery/photos/photo-50/move"
                try ask(sample.saying(#"{"\#(place)":"photo-\#(number)"}"#))
                sample.target = "/v1/streams/gallery/photos/photo-\(number)/move"
                try ask(sample.saying(#"{"\#(place)":"photo-51"}"#))
            }
        }
        for number in 20..<30 {
            var sample = try #require(RouteCodeTests.samples["restorePhoto"])
            sample.target = "/v1/streams/gallery/photos/photo-\(number)/restore"
            try ask(sample)
            sample.target = "/v1/streams/gallery/photos/photo-\(number)"
            sample.method = "DELETE"
            try ask(sample)
        }
    }
}
