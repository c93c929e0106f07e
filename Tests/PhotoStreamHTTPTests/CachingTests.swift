import Foundation
import PhotoStreamHTTP
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

/// Validators, immutable answers, compression.
@Suite struct CachingTests {
    private static let page = "/v1/streams/gallery/layout/page?width=900&limit=50"

    @Test func `a matching validator avoids the answer and the layout`() async throws {
        try await TestServer.with { server in
            let first = try server.client("GET", Self.page)
            let tag = try #require(first.fields["etag"])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
            #expect(first.fields["cache-control"] == "private, no-cache")
            #expect(first.fields["vary"] == "Accept, Accept-Encoding")
            let work = server.service.work
            for field in [tag, "W/" + tag, "\"a,b\", \(tag)", "\"x\" , W/\(tag),\"y\""] {
                let again = try server.client("GET", Self.page, ["If-None-Match": field])
                #expect(again.status == 304, "\(field)")
                #expect(again.body.isEmpty)
                #expect(again.fields["etag"] == tag)
                #expect(again.fields["vary"] == "Accept, Accept-Encoding")
            }
            #expect(server.service.work == work)
            for field in ["\"x\"", String(tag.dropLast()) + "0\"", ""] {
                #expect(try server.client("GET", Self.page, ["If-None-Match": field]).status == 200, "\(field)")
            }
        }
    }

    @Test func `a star matches any existing answer and no missing one`() async throws {
        try await TestServer.with { server in
            let layout = "/v1/streams/gallery/layout"
            let answers: [(target: String, status: Int)] = [
                (Self.page, 304), ("/v1/streams/gallery/stats", 304), ("\(layout)/locate?width=900&photo=nope", 404),
                ("\(layout)/items?width=900&from=99999", 404), ("\(layout)/page?cursor=AAAA", 400),
                ("\(layout)/elements?width=900&kind=badge", 400), ("/v1/streams/gallery/photos?after=nope", 404),
            ]
            for (target, status) in answers {
                let answer = try server.client("GET", target, ["If-None-Match": "*"])
                #expect(answer.status == status, "\(target)")
            }
        }
    }

    @Test func `the same stream in another file has other tags`() async throws {
        let tags = Mutex<[String?]>([])
        for _ in 1...2 {
            try await TestServer.with(photos: 5) { server in
                let answers = try [Self.page, "/v1/streams/gallery/stats"].map { try server.client("GET", $0) }
                #expect(answers.allSatisfy { $0.status == 200 })
                tags.withLock { $0 += answers.map { $0.fields["etag"] } }
            }
        }
        #expect(Set(tags.withLock { $0.compactMap(\.self) }).count == 4)
    }

    @Test func `a changed revision takes precedence over other problems`() async throws {
        try await TestServer.with { server in
            let revision = try server.service.read { try $0.stream(TestServer.stream) }.revision.rawValue
            for question in ["locate?photo=gone", "items?from=99999", "rect?rect=0,0,900,1e9", "page?limit=5"] {
                let target = "/v1/streams/gallery/layout/\(question)&width=900&revision="
                let work = server.service.work
                for other in ["\(revision - 1).1", "\(revision).1", "\(revision)"] {
                    #expect(try server.client("GET", "\(target)\(other)").status == 409, "\(question)")
                }
                #expect(server.service.work == work)
            }
        }
    }

    @Test func `every input of an answer changes its tag`() async throws {
        try await TestServer.with { server in
            let base = "/v1/streams/gallery/layout"
            let targets = [
                "/page?width=900", "/page?width=901", "/page?width=900&limit=99", "/page?width=900&fields=frame",
                "/items?width=900", "/items?width=900&from=1", "?width=900", "?width=900&first=5",
                "/rect?width=900&rect=0,0,9,9",
                "/rect?width=900&rect=0,0,9,8",
            ]
            var tags: [String] = []
            for target in targets {
                for coding in ["identity", "gzip"] {
                    let answer = try server.client("GET", base + target, ["Accept-Encoding": coding])
                    tags.append(try #require(answer.fields["etag"], "\(target): \(answer.text.prefix(99))"))
                }
            }
            #expect(Set(tags).count == tags.count)
            let before = try #require(try server.client("GET", Self.page).fields["etag"])
            try server.service.deletePhotos([PhotoID(stored: "photo-1")], from: TestServer.stream)
            let after = try server.client("GET", Self.page, ["If-None-Match": before])
            #expect(after.status == 200)
            #expect(after.fields["etag"] != before)
        }
    }

    @Test func `a stream that was deleted and created again has other tags`() async throws {
        try await TestServer.with(photos: 0) { server in
            let before = try #require(try server.client("GET", Self.page).fields["etag"])
            try server.service.deleteStream(TestServer.stream, evenWithPhotos: true)
            try server.service.createStream(TestServer.stream)
            #expect(try server.client("GET", Self.page, ["If-None-Match": before]).status == 200)
        }
    }

    @Test func `a matching validator of statistics avoids reading photos`() async throws {
        try await TestServer.with { server in
            let target = "/v1/streams/gallery/stats"
            let first = try server.client("GET", target)
            let tag = try #require(first.fields["etag"])
            #expect(try server.client("GET", target, ["If-None-Match": tag, "Accept-Encoding": "gzip"]).status == 200)
            // Every read of the photos now fails.
            try server.shell("ALTER TABLE photo RENAME COLUMN editedFields TO edited")
            #expect(try server.client("GET", target).status == 500)
            #expect(try server.client("GET", target, ["If-None-Match": tag]).status == 304)
            try server.shell("ALTER TABLE photo RENAME COLUMN edited TO editedFields")
            _ = try server.service.warm(TestServer.stream, layout: try LayoutKey(parsing: Self.key(server)))
            let stored = try server.client("GET", target, ["If-None-Match": tag])
            #expect(stored.status == 200 && stored.text != first.text, "a layout was stored")
            try server.service.deletePhotos([PhotoID(stored: "photo-1")], from: TestServer.stream)
            let tags = [tag, try #require(stored.fields["etag"])].joined(separator: ", ")
            #expect(try server.client("GET", target, ["If-None-Match": tags]).status == 200)
        }
    }

    private static func key(_ server: TestServer) throws -> String {
        try #require(try server.client("GET", page).json["layoutKey"] as? String)
    }

    @Test func `an address with a revision is immutable or refused`() async throws {
        try await TestServer.with { server in
            let revision = try server.service.read { try $0.stream(TestServer.stream) }.revision.state
            let page = Self.page + "&fields=photo,frame"
            let target = page + "&revision=\(revision)"
            let answer = try server.client("GET", target)
            #expect(answer.status == 200)
            #expect(answer.fields["cache-control"] == "private, max-age=31536000, immutable")
            // Colours and keys of pictures appear later, without a change of the stream.
            let shown = try server.client("GET", Self.page + "&revision=\(revision)")
            #expect(shown.fields["cache-control"] == "private, no-cache")
            let current = try server.client("GET", page)
            #expect(answer.body == current.body)
            try server.service.deletePhotos([PhotoID(stored: "photo-1")], from: TestServer.stream)
            let tag = try #require(answer.fields["etag"])
            #expect(try server.client("GET", target).status == 409)
            #expect(try server.client("GET", target, ["If-None-Match": tag]).status == 409)
        }
    }

    @Test func `compressed answers contain the same bytes`() async throws {
        try await TestServer.with { server in
            let plain = try server.client("GET", Self.page)
            #expect(plain.fields["content-encoding"] == nil)
            for field in ["gzip", "deflate, gzip;q=0.5, br", "*", "GZIP"] {
                let packed = try server.client("GET", Self.page, ["Accept-Encoding": field])
                #expect(packed.fields["content-encoding"] == "gzip", "\(field)")
                #expect(packed.body.count < plain.body.count / 2)
                #expect(try Self.unpacked(packed.body) == plain.body)
            }
            for field in ["gzip;q=0", "identity, gzip;q=0.5", "br", "*;q=0"] {
                let answer = try server.client("GET", Self.page, ["Accept-Encoding": field])
                #expect(answer.fields["content-encoding"] == nil, "\(field)")
                #expect(answer.body == plain.body)
            }
        }
    }

    @Test func `the stages of an answer are timed`() async throws {
        try await TestServer.with { server in
            let timing = try #require(try server.client("GET", Self.page).fields["server-timing"])
            let pattern = /queue;dur=[0-9.]+, service;dur=[0-9.]+, encode;dur=[0-9.]+/
            #expect(try pattern.wholeMatch(in: timing) != nil, "\(timing)")
        }
    }

    @Test func `computed layouts are stored after the answer`() async throws {
        try await TestServer.with { server in
            for _ in 0..<2 { _ = try server.client("GET", "/v1/streams/gallery/layout?width=900") }
            #expect(eventually { server.service.work.writtenPlacementCount > 0 })
        }
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/gzip")
        process.arguments = ["-dc"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](data)
    }
}
