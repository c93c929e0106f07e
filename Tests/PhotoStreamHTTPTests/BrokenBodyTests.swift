import Foundation
import Logging
import MetricsTestKit
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Bodies that do not come to their end.
@Suite struct BrokenBodyTests {
    /// The bytes that a client sends before it goes away, and whether it still reads.
    enum Break: CaseIterable {
        case closesItsSide, resets
    }

    private static let lines = "Content-Type: application/jsonl\r\n"
    private static let record = #"{"id":"a","width":3,"height":2}"# + "\n"

    private static let heads = [
        "POST /v1/streams/gallery/photos HTTP/1.1\r\n\(lines)Content-Length: 5000\r\n",
        "POST /v1/streams/gallery/photos HTTP/1.1\r\n\(lines)Transfer-Encoding: chunked\r\n",
        "PUT /v1/streams/gallery/photos/a HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n",
    ]

    @Test(arguments: heads, Break.allCases)
    func `a truncated body changes nothing and is logged as the client's fault`(
        head: String, ending: Break
    ) async throws {
        let (records, metrics) = (LogRecords(), TestMetrics())
        try await TestServer.with(photos: 1, logger: records.logger, metrics: metrics) { server in
            let revision = try server.service.read { try $0.stream(TestServer.stream) }.revision
            let descriptor = try server.client.connected()
            let isChunked = head.contains("chunked")
            let begin = isChunked ? "\(String(Self.record.utf8.count, radix: 16))\r\n\(Self.record)\r\n" : Self.record
            // The answer to the first request shows that the second has arrived.
            let first = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try HTTPClient.write(Array("\(first)\(head)Host: localhost\r\n\r\n\(begin)".utf8), to: descriptor)
            var bytes = HTTPClient.readAll(descriptor, atLeast: 1)
            switch ending {
            case .closesItsSide:
                shutdown(descriptor, Int32(SHUT_WR))
                bytes += HTTPClient.readAll(descriptor)
                let answer = String(decoding: bytes, as: UTF8.self)
                #expect(answer.contains("HTTP/1.1 400 ") && answer.contains("invalid-body"), "\(answer)")
            case .resets:
                var hard = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
            }
            close(descriptor)
            #expect(eventually { !Self.told(records).isEmpty })
            #expect(Self.told(records).map { $0.metadata["status"] } == ["400"])
            #expect(records.all.allSatisfy { $0.level < .warning })
            let refused = [("http.response.status_code", "400")]
            #expect(metrics.counterTotal(label: "http.server.requests", dimensions: refused) == 1)
            #expect(metrics.counterTotal(label: "http.server.requests") == 2)
            #expect(try server.service.read { try $0.stream(TestServer.stream) }.revision == revision)
        }
    }

    /// The log's records of requests with a body.
    private static func told(_ records: LogRecords) -> [LogRecords.Record] {
        records.all.filter { $0.message == "request" && $0.metadata["method"] != "GET" }
    }
}
