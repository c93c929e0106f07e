import PhotoStreamModel
import PhotoStreamService
import Testing

@Suite struct StreamPagesTests {
    @Test func `streams are listed in pages that continue after any name`() async throws {
        try await TestServer.with(photos: 1) { server in
            let names = ["a", "b é", "gallery", "z"]
            for name in names where name != "gallery" { try server.service.createStream(StreamName(stored: name)) }
            func page(_ query: String) throws -> (names: [String], isTruncated: Bool?) {
                let json = try server.client("GET", "/v1/streams?\(query)").json
                let streams = json["streams"] as? [[String: Any]] ?? []
                return (streams.compactMap { $0["stream"] as? String }, json["truncated"] as? Bool)
            }
            #expect(try page("") == (names, false))
            #expect(try page("limit=4") == (names, false))
            #expect(try page("limit=2") == (Array(names.prefix(2)), true))
            #expect(try page("limit=2&after=b%20%C3%A9") == (Array(names.suffix(2)), false))
            #expect(try page("after=c&limit=1") == (["gallery"], true))
            #expect(try page("after=zz") == ([], false))
            for (query, problem) in [("limit=0", "invalid-parameter"), ("after=a%2Fb", "invalid-name")] {
                #expect(try server.client("GET", "/v1/streams?\(query)").problem == problem)
            }
        }
    }
}
