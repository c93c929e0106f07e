import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The life of a connection: the order of its answers, and its end.
@Suite struct ConnectionTests {
    /// A request as text, but for the fields that all have.
    private struct Question {
        var method = "GET"
        let target: String
        var body = ""

        func bytes(isLast: Bool = true) -> [UInt8] {
            var head = "\(method) /v1/\(target) HTTP/1.1\r\nHost: localhost\r\n"
            if !body.isEmpty { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
            if isLast { head += "Connection: close\r\n" }
            return Array((head + "\r\n" + body).utf8)
        }
    }

    /// Look-ups, reads, writes and what needs no file; none changes what another is answered once the writes were made.
    private static let questions: [Question] = {
        let stream = "streams/gallery"
        var questions = (1...8).map { Question(target: "\(stream)/layout/page?width=900&limit=\($0)") }
        questions += (0..<3).map { Question(target: "\(stream)/layout/locate?width=900&photo=photo-\($0)") }
        questions += [
            Question(target: "\(stream)/layout/page?width=none"),
            Question(target: "streams/none/layout/at?width=9&x=1&y=1"),
            Question(target: "\(stream)/layout/page?width=900&limit=9", body: "a body"),
            Question(target: "openapi.json"), Question(target: "streams"), Question(target: "\(stream)/photos/photo-1"),
            Question(target: "nothing"), Question(method: "POST", target: "nothing", body: "{}"),
        ]
        questions += (0..<4).map {
            Question(method: "PUT", target: "\(stream)/photos/written-\($0)", body: #"{"width":\#($0 + 1),"height":9}"#)
        }
        return questions
    }()

    @Test(arguments: [1 as UInt64, 2, 3])
    func `pipelined requests are answered in order`(seed: UInt64) async throws {
        try await TestServer.with(photos: 20) { server in
            for question in Self.questions { _ = try server.client.exchange(question.bytes()) }
            let answers = try Self.questions.map { try server.client.exchange($0.bytes()) }
            var random = SplitMix64(seed: seed)
            for count in [1, 2, 3, 10, 40] {
                let order = (0..<count).map { _ in Int.random(in: 0..<Self.questions.count, using: &random) }
                var bytes: [UInt8] = []
                for (position, index) in order.enumerated() {
                    bytes += Self.questions[index].bytes(isLast: position == count - 1)
                }
                let descriptor = try server.client.connected()
                defer { close(descriptor) }
                var rest = bytes[...]
                while !rest.isEmpty {
                    let part = rest.prefix(Int.random(in: 1...400, using: &random))
                    try HTTPClient.write(Array(part), to: descriptor)
                    rest = rest.dropFirst(part.count)
                }
                let found = try HTTPClient.answers(HTTPClient.readAll(descriptor))
                #expect(found.map(\.body) == order.map { answers[$0].body })
                #expect(found.map(\.status) == order.map { answers[$0].status })
            }
        }
    }

    @Test func `the answer to the last request closes the connection`() async throws {
        try await TestServer.with(photos: 2) { server in
            let answer = try server.client.exchange(Self.questions[0].bytes())
            #expect(answer.status == 200 && answer.fields["connection"] == "close")
        }
    }

    @Test func `an idle connection is closed`() async throws {
        var settings = ServerSettings()
        settings.idleSeconds = 1
        try await TestServer.with(photos: 2, settings: settings) { server in
            for question in [Self.questions[0], Question(target: "streams")] {
                let descriptor = try server.client.connected()
                defer { close(descriptor) }
                try HTTPClient.write(question.bytes(isLast: false) + question.bytes(isLast: false), to: descriptor)
                #expect(try HTTPClient.answers(HTTPClient.readAll(descriptor)).map(\.status) == [200, 200])
            }
            // Nor does one last on which a request does not get on.
            for begun in [
                "", "GET /v1/str",
                "PUT /v1/streams/a/photos/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
            ] {
                let descriptor = try server.client.connected()
                defer { close(descriptor) }
                try HTTPClient.write(Array(begun.utf8), to: descriptor)
                let start = ContinuousClock.now
                _ = HTTPClient.readAll(descriptor)
                // The client's own timeout is a minute.
                #expect(ContinuousClock.now - start < .seconds(50), "\(begun)")
            }
        }
    }

    /// 6 MB each, more than both sides' sockets hold.
    @Test(arguments: ["layout/page?width=900&limit=1000", "photos?limit=1000"])
    func `a server that ends sends the answers that its clients have not received`(address: String) async throws {
        var settings = ServerSettings()
        // A window of 4 KiB is a slow client, which takes several seconds on a busy machine.
        settings.endSeconds = 60
        try await TestServer.with(photos: 0, settings: settings) { server in
            let records = SampleRecords.records(1_000).map { record in
                var record = record
                record.caption = .set(String(repeating: "long ", count: 1_200))
                return record
            }
            try TestServer.load(records, into: TestServer.stream, of: server.file)
            let descriptor = try server.client.connected(window: 4_096)
            defer { close(descriptor) }
            try HTTPClient.write(Question(target: "streams/gallery/\(address)").bytes(isLast: false), to: descriptor)
            let begin = HTTPClient.readAll(descriptor, atLeast: 1)
            server.stop()
            // Connections end once new ones are refused.
            #expect(
                eventually {
                    guard let other = try? server.client.connected() else { return true }
                    close(other)
                    return false
                })
            let answers = try HTTPClient.answers(begin + HTTPClient.readAll(descriptor))
            #expect(answers.count == 1 && answers.first?.body.count ?? 0 > 5 << 20)
        }
    }
}
