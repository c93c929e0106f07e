import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP
@testable import PhotoStreamService

/// The names under which clients save originals.
@Suite struct FileDispositionTests {
    /// The parameters of a field, read as a client reads them, but refusing everything that clients read in several ways.
    private static func names(in field: String) throws -> (plain: String, extended: String) {
        let whole = try #require(
            try Regex(#"inline; filename="([^"\\%]*)"; filename\*=UTF-8''(.*)"#).wholeMatch(in: field))
        let (plain, escaped) = (String(whole[1].substring ?? ""), String(whole[2].substring ?? ""))
        #expect(plain.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        // attr-char of RFC 8187, and escape sequences.
        #expect(escaped.wholeMatch(of: try Regex(#"([A-Za-z0-9!#$&+\-.^_`|~]|%[0-9A-F]{2})*"#)) != nil, "\(escaped)")
        // Foundation's decoder leaves out U+FEFF.
        let bytes = escaped.matches(of: /%([0-9A-F]{2})|[^%]/).flatMap { match in
            match.output.1.flatMap { UInt8($0, radix: 16) }.map { [$0] } ?? Array(match.output.0.utf8)
        }
        return (plain, try #require(String(validating: bytes, as: UTF8.self)))
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `no byte of a name ends the field or changes the rest of it`(byte: UInt8) throws {
        let scalar = Unicode.Scalar(byte)
        for name in [
            "\(scalar)", "\(scalar)b.jpg", "a\(scalar)", "a\(scalar)\(scalar)b.jpg", "a\r\nSet-Cookie: \(scalar)",
        ] {
            let names = try Self.names(in: FileDisposition(name: name).text)
            let isReplaced = byte < 0x20 || (0x7F..<0xA0).contains(byte) || scalar == "/" || scalar == "\\"
            #expect(names.extended.unicodeScalars.count == name.unicodeScalars.count)
            #expect(names.plain.unicodeScalars.count == name.unicodeScalars.count)
            #expect(names.extended.unicodeScalars.contains(scalar) == !isReplaced || scalar == "_", "\(byte)")
            for control in [names.plain, names.extended].joined().unicodeScalars {
                #expect(control.properties.generalCategory != .control)
            }
        }
    }

    @Test func `every text keeps its characters`() throws {
        for text in NastyTexts.texts where !text.unicodeScalars.contains(where: { "/\\".unicodeScalars.contains($0) }) {
            let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            let names = try Self.names(in: FileDisposition(name: text).text)
            if isPlain { #expect(Array(names.extended.utf8) == Array(text.utf8), "\(text.debugDescription)") }
        }
    }

    @Test func `an original and its parts have the last component of the location`() async throws {
        try await ServedPictures.with { get in
            try FileManager.default.createDirectory(at: get.url("Zürich"), withIntermediateDirectories: true)
            for name in [
                "IMG_1.HEIC", "Zürich/外婆 \"5%\".jpg", "line\r\nSet-Cookie: a=b.jpg", "a'b;c=d,é.gif", "no extension",
            ] {
                try get.write(name, ServedPictures.jpeg)
                let last = try #require(name.split(separator: "/").last)
                for location in [name, get.url(name).path, get.url(name).absoluteString] {
                    for fields in [[:], ["Range": "bytes=1-2"]] {
                        let answer = try get(location, fields)
                        #expect(answer.status == (fields.isEmpty ? 200 : 206), "\(location)")
                        let field = try #require(answer.fields["content-disposition"])
                        #expect(answer.fields["set-cookie"] == nil)
                        let shown = last.unicodeScalars.map {
                            $0.properties.generalCategory == .control ? "_" : String($0)
                        }
                        #expect(try Self.names(in: field).extended == shown.joined())
                    }
                }
                #expect(try get(name, ["If-None-Match": "*"]).fields["content-disposition"] == nil)
            }
        }
    }

    @Test func `a share names files only if it shows names`() async throws {
        try await ServedPictures.with { get in
            let secret = "2019 Court case"
            try FileManager.default.createDirectory(at: get.url(secret), withIntermediateDirectories: true)
            try get.write("\(secret)/Anna.png", ServedPictures.jpeg)
            _ = try get.target("\(secret)/Anna.png", id: "\(secret)/Anna.png")
            for options: ShareOptions in [.originals, [.originals, .names]] {
                let share = try get.server.service.createShare(
                    of: TestServer.stream, named: "\(options.rawValue)", showing: options)
                let path = "/s/\(share.token.text)"
                let list = try get.server.client("GET", path + "/v1/streams/gallery/layout/items?width=900&count=100")
                let items = try #require(list.json["items"] as? [[String: Any]])
                var names: [String] = []
                for item in items {
                    let photo = try #require(item["photo"] as? String)
                    let escaped = NastyTexts.escaped(photo.utf8)
                    let answer = try get.server.client("GET", "\(path)/v1/streams/gallery/photos/\(escaped)/image")
                    guard answer.status == 200 else { continue }
                    let name = try Self.names(in: try #require(answer.fields["content-disposition"])).extended
                    names.append(name)
                    guard !options.contains(.names) else { continue }
                    let type = answer.fields["content-type"] == "image/png" ? "png" : "jpg"
                    #expect(name == "photo-\(photo.prefix(8)).\(type)")
                    #expect(!answer.fields.values.contains { $0.contains("Anna") || $0.contains("Court") })
                }
                #expect(names.contains("Anna.png") == options.contains(.names), "\(names)")
                #expect(Set(names).count == names.count && !names.isEmpty)
            }
        }
    }
}
