import Foundation
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// The content of `/metrics`, and its form.
@Suite struct MetricsTests {
    /// The values of a text by their names with labels.
    static func values(_ text: String) throws -> [String: Double] {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let end = try #require(line.lastIndex(of: " "))
            let name = String(line[..<end])
            #expect(values[name] == nil, "\(name) is there twice")
            let value = try #require(Double(String(line[end...].dropFirst())), "\(line)")
            values[name] = value
        }
        return values
    }

    private static func metrics(_ server: TestServer) throws -> [String: Double] {
        let answer = try server.client("GET", "/metrics")
        #expect(answer.status == 200 && answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        return try values(answer.text)
    }

    @Test func `every value belongs to a described metric, and histograms only grow`() async throws {
        try await TestServer.with(photos: 30) { server in
            for _ in 0..<5 { _ = try server.client("GET", "/v1/streams/gallery/layout/page?width=900&limit=5") }
            // As Prometheus asks.
            let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1"
            let answer = try server.client("GET", "/metrics", ["Accept": accept])
            #expect(answer.status == 200)
            try Self.checkForm(of: answer.text)
        }
    }

    /// Checks that every value belongs to a metric that is described, and that histograms only grow.
    static func checkForm(of text: String) throws {
        var (name, kind, bucket) = ("", "", 0.0)
        var described: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if words[0] == "#" {
                if words[1] == "HELP" {
                    #expect(described.insert(words[2]).inserted, "\(words[2]) is described twice")
                    #expect(words[3].hasSuffix("."))
                    name = words[2]
                } else {
                    #expect(words[1] == "TYPE" && words[2] == name)
                    kind = words[3]
                }
                continue
            }
            let sample = String(line.prefix { $0 != "{" && $0 != " " })
            let value = try #require(Double(String(line.split(separator: " ").last ?? "")))
            guard kind == "histogram" else {
                #expect(sample == name && ["counter", "gauge"].contains(kind))
                #expect(value >= 0 && (kind == "counter") == name.hasSuffix("_total"))
                continue
            }
            #expect([name + "_bucket", name + "_sum", name + "_count"].contains(sample))
            if line.contains("le=\"0.001\"") { bucket = 0 }
            guard !sample.hasSuffix("_sum") else { continue }
            #expect(value >= bucket)
            bucket = value
        }
    }

    @Test func `metric families are distinct in OpenMetrics`() async throws {
        try await TestServer.with(photos: 1) { server in
            let text = try server.client("GET", "/metrics").text
            try Self.checkFamilies(of: text)
        }
    }

    /// Checks that no two metrics are one family in OpenMetrics.
    static func checkFamilies(of text: String) throws {
        let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        let names = types.map { $0.split(separator: " ")[2] }
        #expect(names.count > 15)
        let families = names.map { name in
            ["_total", "_created", "_bucket", "_sum", "_count", "_info"].first { name.hasSuffix($0) }
                .map { String(name.dropLast($0.count)) } ?? String(name)
        }
        #expect(Set(families).count == families.count, "\(families.sorted())")
    }

    @Test func `requests, clients, lanes, folds and files are measured`() async throws {
        try await TestServer.with(photos: 30) { server in
            let page = "/v1/streams/gallery/layout/page?width=900&limit=5"
            for _ in 0..<3 { #expect(try server.client("GET", page).status == 200) }
            #expect(try server.client("GET", page + "&limit=6").status == 400)
            #expect(try server.client("GET", "/v1/streams/gallery/layout?width=900").status == 200)
            #expect(try server.client("GET", "/what/is/this").status == 404)
            let reader = try EventReader(server.client)
            #expect(reader.status == 200)
            let found = try Self.metrics(server)
            let route = "route=\"/v1/streams/{stream}/layout/page\",method=\"GET\""
            #expect(found["photostream_requests_total{\(route),status=\"200\"}"] == 3)
            #expect(found["photostream_requests_total{\(route),status=\"400\"}"] == 1)
            #expect(found["photostream_requests_total{route=\"none\",method=\"none\",status=\"404\"}"] == 1)
            #expect(found["photostream_request_duration_seconds_count{\(route)}"] == 4)
            #expect(found["photostream_request_duration_seconds_bucket{\(route),le=\"+Inf\"}"] == 4)
            #expect(try #require(found["photostream_request_duration_seconds_sum{\(route)}"]) > 0)
            #expect(found["photostream_event_clients"] == 1)
            #expect(try #require(found["photostream_event_lag_seconds"]) < 60)
            #expect(try #require(found["photostream_connections"]) >= 2)
            for lane in ["short", "long", "write", "picture"] {
                #expect(found["photostream_lane_limit{lane=\"\(lane)\"}"] == Double(ServerSettings().requestLimit))
                #expect(found["photostream_lane_requests{lane=\"\(lane)\"}"] != nil)
            }
            #expect(try #require(found["photostream_layouts_resolved_total"]) >= 1)
            #expect(
                try eventually {
                    let size = try FileManager.default.attributesOfItem(atPath: server.file.path)[.size] as? Int
                    return try Self.metrics(server)["photostream_database_bytes"] == size.map(Double.init)
                })
            let age = Date().timeIntervalSince1970 - (found["photostream_database_last_write_timestamp_seconds"] ?? 0)
            #expect(age >= 0 && age < 3_600)
            #expect(found["photostream_info{version=\"\(PhotoStreamService.version)\"}"] == 1)
            #expect(try #require(found["process_open_fds"]) > 3)
            #expect(try #require(found["process_resident_memory_bytes"]) > 1_000_000)
        }
    }

    @Test func `labels are escaped, and whole numbers have no fraction`() {
        var text = MetricsText()
        text.add(
            "a", as: .gauge, about: "Letters.",
            samples: [
                MetricsText.Sample(2, labels: [("name", "a\"b\\c\nd")]), MetricsText.Sample(0.25, suffix: "_x"),
                MetricsText.Sample(.infinity, suffix: "_y"),
            ])
        #expect(
            text.text == """
                # HELP a Letters.
                # TYPE a gauge
                a{name="a\\"b\\\\c\\nd"} 2
                a_x 0.25
                a_y +Inf

                """)
    }
}
