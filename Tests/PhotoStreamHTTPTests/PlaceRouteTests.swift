import PhotoStreamService
import Testing

/// Cities by name over HTTP.
@Suite struct PlaceRouteTests {
    @Test func `cities are found by the beginning of a name, also beneath the link of a share`() async throws {
        try await TestServer.with(photos: 1) { server in
            let share = try server.service.createShare(of: TestServer.stream).token
            for base in ["", "/s/\(share.text)"] {
                let answer = try server.client("GET", base + "/v1/places?query=zuri&limit=1")
                #expect(answer.status == 200 && answer.fields["etag"] != nil)
                let places = try #require(answer.json["places"] as? [[String: Any]])
                #expect(places.count == 1)
                #expect(places.first?["name"] as? String == "Zürich" && places.first?["countryCode"] as? String == "CH")
            }
            let none = try server.client("GET", "/v1/places?query=qwxz")
            #expect((none.json["places"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a query that cannot be searched is refused`() async throws {
        try await TestServer.with(photos: 0) { server in
            let long = String(repeating: "x", count: 101)
            for (query, parameter, detail) in [
                ("", "query", "query is missing"),
                ("query=", "query", "query has 0 characters, not 1 to 100"),
                ("query=\(long)", "query", "query has 101 characters, not 1 to 100"),
                ("query=a&limit=51", "limit", "limit is \"51\", but must be a whole number from 1 to 50"),
            ] {
                let answer = try server.client("GET", "/v1/places?" + query)
                #expect(answer.status == 400 && answer.json["detail"] as? String == detail)
                #expect(answer.json["parameter"] as? String == parameter)
            }
        }
    }
}
