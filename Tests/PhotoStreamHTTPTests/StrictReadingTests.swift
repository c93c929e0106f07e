import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Values that a library takes for a number or a text, but that are neither.
@Suite(.withoutPrimary) struct StrictReadingTests {
    private static let photo = "/v1/streams/gallery/photos/photo-1"
    private static let json = ["Content-Type": "application/json"]

    @Test func `a number is decimal without trailing characters`() async throws {
        try await TestServer.with { server in
            let layout = "/v1/streams/gallery/layout"
            for target in [
                "\(layout)?width=1200%00junk", "\(layout)?width=0x10", "\(layout)/rect?width=900&rect=0,0%00x,5,5",
                "\(layout)/rect?width=900&rect=0,0x1F,5,5", "\(layout)/at?width=900&x=5%00zzz&y=1",
                "\(layout)?layout-key=masonry-4%2Clength%3D1200%2Cscale%3D0x1",
            ] {
                let answer = try server.client("GET", target)
                #expect(answer.status == 400 || answer.status == 422, "\(target): \(answer.text.prefix(200))")
            }
        }
    }

    @Test(arguments: [
        "items?from=-1", "elements?kind=section-header&section=-1", "elements?kind=section-header&from=-1",
    ])
    func `counts are not negative`(question: String) async throws {
        try await TestServer.with { server in
            let answer = try server.client("GET", "/v1/streams/gallery/layout/\(question)&width=900")
            #expect(answer.status == 400)
            #expect(answer.text.contains("a whole number, 0 or greater"), "\(answer.text)")
        }
    }

    @Test(arguments: [
        #"{"bogus":1e999}"#, #"{"caption":5,"q":1e999}"#, #"{"tags":"a,b","zz":-1e999}"#,
        #"{"width":"40","height":"30","q":1e999}"#,
    ])
    func `a number that is too large does not let invalid members pass`(body: String) async throws {
        try await TestServer.with { server in
            let before = try server.client("GET", Self.photo).text
            let answer = try server.client("PATCH", Self.photo, Self.json, body: Array(body.utf8))
            #expect(answer.status == 400 || answer.status == 422, "\(answer.text)")
            #expect(try server.client("GET", Self.photo).text == before)
        }
    }

    @Test(arguments: [
        ("PATCH", photo, #"{"width":5,"height":4,"width":6}"#, "width"),
        ("PATCH", photo, #"{"alt":"a","\u0061lt":"b"}"#, "alt"), ("PUT", photo, #"{"tags":[],"tags":["a"]}"#, "tags"),
        ("PUT", photo, #"{"caption":5,"caption":"five"}"#, "caption"),
        ("PATCH", "/v1/streams/gallery", #"{"stream":"a","stream":"b"}"#, "stream"),
        ("POST", photo + "/move", #"{"after":"none","after":"photo-2"}"#, "after"),
    ])
    func `a repeated member is refused`(method: String, target: String, body: String, parameter: String) async throws {
        try await TestServer.with { server in
            let before = try server.client("GET", "/v1/streams/gallery/photos").text
            let answer = try server.client(method, target, Self.json, body: Array(body.utf8))
            #expect(
                answer.problem == "invalid-body" && answer.json["parameter"] as? String == parameter, "\(answer.text)")
            #expect(answer.text.contains("more than once"))
            #expect(try server.client("GET", "/v1/streams/gallery/photos").text == before)
        }
    }

    @Test(arguments: [
        #"{"stream":"a",}"#, #"{"stream":"a"}{}"#, #"["stream"]"#, "\u{FEFF}{\"stream\":\"a\"}", "", " ",
        #"{"stream":"a","x":[1,]}"#, #"{"stream":"\ud800"}"#, "{\"stream\":\"a\tb\"}", "{'stream':'a'}",
    ])
    func `a body is JSON by RFC 8259`(body: String) async throws {
        try await TestServer.with(photos: 1) { server in
            for (method, target) in [("POST", "/v1/streams"), ("PATCH", Self.photo)] {
                let answer = try server.client(method, target, Self.json, body: Array(body.utf8))
                #expect(answer.problem == "invalid-body", "\(answer.text)")
                #expect(answer.json["parameter"] == nil)
            }
            #expect(try server.service.read { try $0.streams() }.count == 1)
        }
    }

    static let broken: [(body: String, offset: Int)] = [
        (#"{"alt":"#, 7), (#"{"alt":x}"#, 7), (#"{"alt":"a",}"#, 11), (" {\"alt\":\"a\tb\"}", 10),
        (#"{"alt":"a"} 5"#, 12),
        ("\n[1]", 1), (#"{"é":012}"#, 6),
    ]

    @Test(arguments: broken.map { (Array($0.body.utf8), $0.offset) } + [([0x7B, 0x22, 0xFF], 2)])
    func `a syntax error is reported with its position in the body`(body: [UInt8], offset: Int) async throws {
        try await TestServer.with(photos: 1) { server in
            for (method, target) in [("PUT", Self.photo), ("PATCH", Self.photo), ("POST", "/v1/streams")] {
                let answer = try server.client(method, target, Self.json, body: body)
                #expect(answer.problem == "invalid-body")
                let detail = try #require(answer.json["detail"] as? String)
                #expect(detail.hasSuffix(" at byte \(offset)"), "\(detail)")
            }
        }
    }

    @Test func `JSON is parsed to 64 levels`() async throws {
        try await TestServer.with(photos: 1) { server in
            for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
                for depth in [63, 64, 100_000] {
                    let value =
                        String(repeating: open, count: depth) + (open == "[" ? "" : "1")
                        + String(repeating: close, count: depth)
                    let answer = try server.client(
                        "PATCH", Self.photo, Self.json, body: Array(#"{"tags":\#(value)}"#.utf8))
                    #expect(answer.problem == (depth < 64 ? "invalid-photo" : "invalid-body"), "\(answer.text)")
                    #expect(answer.text.contains("nested deeper than 64 levels") == (depth >= 64))
                }
            }
        }
    }

    @Test func `a body must be UTF-8 everywhere`() async throws {
        try await TestServer.with { server in
            let body = #"{"stream":"u16"}"#.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            for bytes in [body, [0xFF, 0xFE] + body] {
                let answer = try server.client("PATCH", "/v1/streams/gallery", Self.json, body: bytes)
                #expect(answer.status == 400, "\(answer.text)")
            }
        }
    }

    @Test func `answers contain no folder, and the list of streams does not grow with refused records`()
        async throws
    {
        try await TestServer.with { server in
            let lines = (0..<50).map { "{\"id\":\"bad \($0)\",\"width\":-1,\"height\":2}\n" }.joined()
            let source = server.file.folder + "/refused.jsonl"
            try Data(lines.utf8).write(to: URL(filePath: source))
            let command = Process()
            command.executableURL = BuiltCommand.url
            command.arguments = ["import", "--database", server.file.path, "--stream", "gallery", source]
            (command.standardOutput, command.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try command.run()
            command.waitUntilExit()
            let (list, stream) = (
                try server.client("GET", "/v1/streams").text, try server.client("GET", "/v1/streams/gallery").text
            )
            let same = Array(#"{"stream":"gallery"}"#.utf8)
            let renamed = try server.client("PATCH", "/v1/streams/gallery", Self.json, body: same).text
            for answer in [list, stream, renamed] {
                #expect(answer.contains("refused.jsonl"))
                #expect(!answer.contains(server.file.folder))
            }
            #expect(!list.contains("bad 1") && stream.contains("bad 1"))
        }
    }
}
