import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Clusters of maps over HTTP.
@Suite struct ClusterRouteTests {
    private static let layout = "/v1/streams/gallery/layout"
    private static let options = "width=390&algorithm=map&zoom=3&item-size=44,44&cluster=72"

    /// Runs a server with 40 photos, 24 of them in Lisbon or Porto and one on Fiji.
    private static func with(_ test: @escaping @Sendable (TestServer) throws -> Void) async throws {
        try await TestServer.with(photos: 0) { server in
            let places = try [(38.7223, -9.1393), (41.1579, -8.6291), (-17.7134, 178.065)].map {
                try Coordinate(latitude: $0.0, longitude: $0.1)
            }
            let records = SampleRecords.records(40).enumerated().map { number, record in
                var record = record
                if number == 39 { record.coordinate = .set(places[2]) }
                if number < 24 { record.coordinate = .set(places[number % 2]) }
                return record
            }
            try TestServer.load(records, into: TestServer.stream, of: server.file)
            try test(server)
        }
    }

    @Test func `a layout has bounds and the number of photos without a position`() async throws {
        try await Self.with { server in
            let answer = try server.client("GET", "\(Self.layout)?\(Self.options)").json
            let positions = try #require(answer["positions"] as? [String: Any])
            #expect(positions["located"] as? Int == 25 && positions["unlocated"] as? Int == 15)
            let bounds = try #require(positions["bounds"] as? [String: Double])
            // Over America: from Fiji to Porto.
            #expect(abs((bounds["west"] ?? 0) - 178.065) < 1e-7 && abs((bounds["east"] ?? 0) + 8.6291) < 1e-7)
            #expect(abs((bounds["south"] ?? 0) + 17.7134) < 1e-7 && abs((bounds["north"] ?? 0) - 41.1579) < 1e-7)
            let plain = try server.client("GET", "\(Self.layout)?width=390&algorithm=map&zoom=3").json
            #expect(plain["positions"] == nil)
        }
    }

    @Test func `a rectangle has clusters, in JSON and in the binary form`() async throws {
        try await Self.with { server in
            let path = "\(Self.layout)/rect?rect=0,0,3000,3000&\(Self.options)"
            let answer = try server.client("GET", path).json
            let items = try #require(answer["items"] as? [[String: Any]])
            let clusters = items.compactMap { $0["cluster"] as? [String: Any] }
            #expect(clusters.compactMap { $0["count"] as? Int } == [1, 24])
            let bounds = try #require(clusters.last?["bounds"] as? [String: Double])
            #expect(abs((bounds["south"] ?? 0) - 38.7223) < 1e-7 && abs((bounds["east"] ?? 0) + 8.6291) < 1e-7)
            let short = try server.client("GET", path + "&fields=index,cluster").json
            #expect((short["items"] as? [[String: Any]])?.allSatisfy { Set($0.keys) == ["index", "cluster"] } == true)
            let data = Data(
                try server.client("GET", path, ["Accept": "application/vnd.photostream.page"]).body)
            #expect(data[6] == 1 | 8 | 32, "in place, of the whole, with clusters")
            // After the header, two photos, the content size and no elements.
            var rest = data.dropFirst(64 + 2 * 20 + 20)
            for cluster in clusters {
                #expect(rest.first.map(Int.init) == cluster["count"] as? Int)
                let edges = (0..<4).map { edge in
                    Double(
                        bitPattern: rest.dropFirst(4 + 8 * edge).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
                    )
                }
                let bounds = cluster["bounds"] as? [String: Double]
                #expect(["west", "south", "east", "north"].map { bounds?[$0] } == edges)
                rest = rest.dropFirst(36)
            }
            #expect(rest.count == 16, "only the tags of the states")
            // The sizes of the pictures are before the clusters.
            let sized = Data(
                try server.client("GET", path + "&sizes=true", ["Accept": "application/vnd.photostream.page"]).body)
            #expect(sized[6] == data[6] | 64 && sized.count == data.count + 2 * 8)
            let start = 64 + 2 * 20 + 20
            #expect(sized[7..<start] == data[7..<start] && sized.suffix(2 * 36 + 16) == data.suffix(2 * 36 + 16))
        }
    }

    @Test func `the photos of a cluster are listed page by page`() async throws {
        try await Self.with { server in
            let rect = try server.client("GET", "\(Self.layout)/rect?rect=0,0,3000,3000&\(Self.options)").json
            let face = try #require((rect["items"] as? [[String: Any]])?.last)
            let frame = try #require(face["frame"] as? [String: Double])
            let (x, y) = ((frame["x"] ?? 0) + 22, (frame["y"] ?? 0) + 22)
            for (query, count) in [("x=\(x)&y=\(y)", 24), ("unlocated=true", 15)] {
                var ids: [String] = []
                var next: String? = "\(query)&\(Self.options)"
                while let query = next {
                    let answer = try server.client("GET", "\(Self.layout)/cluster?limit=10&fields=photo&\(query)").json
                    #expect(answer["count"] as? Int == count)
                    #expect(((answer["bounds"] as? [String: Double]) == nil) == (count == 15))
                    ids += try #require(answer["items"] as? [[String: Any]]).compactMap { $0["photo"] as? String }
                    next = (answer["nextCursor"] as? String).map { "cursor=" + $0 }
                    #expect(answer["truncated"] as? Bool == (next != nil))
                }
                let photos = try server.service.read { try $0.photos(of: TestServer.stream) }.photos
                let isLocated = count == 24
                let expected = photos.filter { photo in
                    isLocated ? (photo.coordinate?.latitude ?? 0) > 30 : photo.coordinate == nil
                }
                #expect(ids == expected.map(\.id.rawValue))
            }
        }
    }

    @Test func `an answer is validated, and changes with the stream`() async throws {
        try await Self.with { server in
            for path in ["?", "/rect?rect=0,0,3000,3000&", "/cluster?unlocated=true&"] {
                let path = Self.layout + path + Self.options
                let answer = try server.client("GET", path)
                let tag = try #require(answer.fields["etag"])
                #expect(try server.client("GET", path, ["If-None-Match": tag]).status == 304)
            }
            let path = "\(Self.layout)?\(Self.options)"
            let before = try server.client("GET", path)
            _ = try server.client(
                "PATCH", "/v1/streams/gallery/photos/photo-30", ["Content-Type": "application/json"],
                body: Array(#"{"latitude":1,"longitude":2}"#.utf8))
            let after = try server.client(
                "GET", path, ["If-None-Match": try #require(before.fields["etag"])])
            #expect((after.json["positions"] as? [String: Any])?["located"] as? Int == 26)
            let state = try #require(before.json["state"] as? String)
            let updates = try server.client(
                "GET", "\(Self.layout)/updates?since=\(state)&rect=0,0,9,9&\(Self.options)"
            ).json
            #expect((updates["reload"] as? [String: Any])?["reason"] as? String == "clusters")
        }
    }

    @Test(arguments: [
        ("cluster=72&algorithm=grid&width=9", "cluster", "cluster means nothing to algorithm grid"),
        ("cluster=9&algorithm=map&width=9", "cluster", "cluster is 9, but must be 64 to 512"),
        ("cluster=wide&algorithm=map&width=9", "cluster", "must be a number"),
        (
            "cluster=72&algorithm=map&width=9&header-size=9", "header-size",
            "a map layout has no section headers with clusters"
        ),
    ]) func `a wrong option is refused`(query: String, parameter: String, message: String) async throws {
        try await Self.with { server in
            let answer = try server.client("GET", "\(Self.layout)?\(query)")
            #expect(answer.status == 400 && answer.json["parameter"] as? String == parameter, "\(answer.text)")
            #expect((answer.json["detail"] as? String)?.contains(message) == true, "\(answer.text)")
        }
    }

    @Test func `a list needs one cluster`() async throws {
        try await Self.with { server in
            let cursor = try #require(
                try server.client("GET", "\(Self.layout)/cluster?unlocated=true&limit=2&\(Self.options)")
                    .json["nextCursor"] as? String)
            let cases = [
                (Self.options, "x", "x is missing"),
                ("x=1&\(Self.options)", "y", "y is missing"),
                ("x=1&y=nan&\(Self.options)", "y", "must be a number"),
                (
                    "x=1&y=1&unlocated=true&\(Self.options)", "x",
                    "photos without a position are at no point; leave out x"
                ),
                ("cursor=\(cursor)&y=1", "y", "the cursor contains the cluster; leave out y"),
                (
                    "cursor=\(cursor)&unlocated=true", "unlocated",
                    "the cursor contains the cluster; leave out unlocated"
                ),
                ("unlocated=true", "width", "width"),
                (
                    "unlocated=true&width=390&algorithm=map", "cluster",
                    "a map layout has no clusters; they need the algorithm map"
                ),
            ]
            for (query, parameter, message) in cases {
                let answer = try server.client("GET", "\(Self.layout)/cluster?\(query)")
                #expect(answer.status == 400, "\(query): \(answer.text)")
                #expect(answer.json["parameter"] as? String == parameter, "\(query): \(answer.text)")
                #expect((answer.json["detail"] as? String)?.contains(message) == true, "\(query): \(answer.text)")
            }
        }
    }
}
