import Foundation
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// The alert rules and the dashboard in `Packaging` name metrics of the server.
@Suite struct MonitoringTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Packaging")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The names of metrics in expressions.
    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(?:photostream|process)_[a-z_]+/).map { String($0.output) })
    }

    /// The names of all samples of a server that follows a primary.
    private static func served() async throws -> Set<String> {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        // The primary need not answer for the metrics of its replica.
        let primary = PostgresPrimary(try PrimaryAddress("postgres://photos@127.0.0.1:1/photos"))
        let follower = Follower(primary, of: service.database, name: file.path)
        let (names, continuation) = AsyncStream<String>.makeStream()
        try await TestServer.with(service, file, follower: follower) { server in
            _ = try server.client("GET", "/v1/streams")
            for line in try server.client("GET", "/metrics").text.split(separator: "\n") {
                if line.hasPrefix("# TYPE ") { continuation.yield(String(line.split(separator: " ")[2])) }
                if !line.hasPrefix("#") { continuation.yield(String(line.prefix { $0 != "{" && $0 != " " })) }
            }
            continuation.finish()
        }
        return await names.reduce(into: Set()) { $0.insert($1) }
    }

    @Test func `the rules and the dashboard use metrics of the server`() async throws {
        let served = try await Self.served()
        #expect(served.contains("photostream_replica_age_seconds") && served.contains("photostream_decodes_total"))
        for file in ["alerts.yaml", "dashboard.json"] {
            let expressions = try Self.text(file).split(separator: "\n").filter { !$0.contains("summary:") }
            let names = Self.names(in: expressions.joined(separator: "\n"))
            #expect(names.count > 10)
            #expect(names.subtracting(served) == [], "\(file)")
        }
    }

    @Test func `the dashboard is JSON, and each of its panels has an expression`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(try Self.text("dashboard.json").utf8))
        let dashboard = try #require(object as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        for panel in panels {
            let targets = try #require(panel["targets"] as? [[String: String]])
            #expect(!targets.isEmpty && targets.allSatisfy { $0["expr"]?.isEmpty == false })
        }
    }

    @Test func `each alert has a condition, a severity and a sentence`() throws {
        let alerts = try Self.text("alerts.yaml").components(separatedBy: "- alert: ").dropFirst()
        #expect(Set(alerts.map { $0.prefix { $0 != "\n" } }).count == alerts.count && alerts.count > 10)
        for alert in alerts {
            for part in ["expr: ", "labels: { severity: ", "summary: \""] {
                #expect(alert.contains(part), "\(part) is missing: \(alert)")
            }
        }
    }
}
