import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// The films of motion photos, through sockets.
@Suite struct FilmRouteTests {
    private static let picture = ServedPictures.jpeg + [UInt8](repeating: 7, count: 1_000)
    private static let film = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }

    /// Writes a motion photo and its row, as an import does, and returns the address of its film.
    private static func write(_ name: String, to get: ServedPictures, film: Range<Int64>?) throws -> String {
        let bytes = picture + Self.film + [1, 2, 3]
        try get.write(name, bytes)
        let target = try get.target(name)
        let file = get.server.file
        let database = try PhotoDatabase(path: file.path, access: .existing, primary: file.primary)
        defer { try? database.close() }
        try database.write { writer in
            let stream = try #require(try writer.reader.stream(named: TestServer.stream)).id
            var row = PictureFileRow(
                rootID: try #require(try writer.reader.roots().first).id, path: name, photo: PhotoID(stored: "photo-1"),
                byteCount: Int64(bytes.count), modifiedNanoseconds: 1_000_000_000_250_000_000, state: .read)
            row.film = film
            try writer.savePictureFiles(streamID: stream, [row])
        }
        return target.dropLast("image".count) + "film"
    }

    private static let range = Int64(picture.count)..<Int64(picture.count + film.count)

    @Test func `a film is sent whole, and by ranges of its own bytes`() async throws {
        try await ServedPictures.with { get in
            let target = try Self.write("IMG_1.jpg", to: get, film: Self.range)
            let whole = try get.server.client("GET", target)
            #expect(whole.status == 200 && whole.body == Self.film && whole.fields["content-type"] == "video/mp4")
            #expect(whole.fields["content-disposition"]?.contains("filename=\"IMG_1.mp4\"") == true)
            #expect(whole.fields["accept-ranges"] == "bytes")
            for (range, part) in [("0-0", 0..<1), ("199000-", 199_000..<200_000), ("-5", 199_995..<200_000)] {
                let answer = try get.server.client("GET", target, ["Range": "bytes=\(range)"])
                #expect(answer.status == 206 && answer.body == Array(Self.film[part]))
                let expected = "bytes \(part.lowerBound)-\(part.upperBound - 1)/200000"
                #expect(answer.fields["content-range"] == expected)
            }
            let beyond = try get.server.client("GET", target, ["Range": "bytes=200000-"])
            #expect(beyond.status == 416 && beyond.fields["content-range"] == "bytes */200000")
            let head = try get.server.client("HEAD", target)
            #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "200000")
            let tag = try #require(whole.fields["etag"])
            #expect(try get.server.client("GET", target, ["If-None-Match": tag]).status == 304)
            let picture = try get("IMG_1.jpg")
            #expect(picture.fields["etag"] != tag && picture.body.count == Self.picture.count + Self.film.count + 3)
            #expect(try get.server.client("GET", target, ["Accept": "image/*"]).problem == "not-acceptable")
            let photo = try get.server.client("GET", String(target.dropLast("/film".count)))
            #expect(photo.json["film"] as? Bool == true)
        }
    }

    @Test func `a photo without a film, or with another file than an import has read, has none`() async throws {
        try await ServedPictures.with { get in
            let ranges: [Range<Int64>?] = [nil, 5..<(1 << 40)]
            for film in ranges {
                let target = try Self.write("a.jpg", to: get, film: film)
                let answer = try get.server.client("GET", target)
                #expect(answer.status == 404 && answer.problem == "picture-not-found")
                #expect(answer.json["detail"] as? String == "the file of photo \"photo-1\" contains no film")
            }
            let target = try Self.write("a.jpg", to: get, film: Self.range)
            #expect(try get.server.client("GET", target).status == 200)
            try get.age("a.jpg", to: 1_000_000_001)
            #expect(try get.server.client("GET", target).status == 404)
            try FileManager.default.removeItem(at: get.url("a.jpg"))
            #expect(try get.server.client("GET", target).problem == "picture-not-found")
        }
    }

    @Test func `a share sends films only with its permission for originals`() async throws {
        try await ServedPictures.with { get in
            _ = try Self.write("a.jpg", to: get, film: Self.range)
            for options: ShareOptions in [[], .originals, [.originals, .names]] {
                let share = try get.server.service.createShare(
                    of: TestServer.stream, named: "\(options.rawValue)", showing: options)
                let path = "/s/\(share.token.text)/v1/streams/gallery"
                let list = try get.server.client("GET", path + "/layout/items?width=900&count=100")
                let items = try #require(list.json["items"] as? [[String: Any]])
                let answers = try items.map { item in
                    let photo = try #require(item["photo"] as? String)
                    return try get.server.client("GET", "\(path)/photos/\(NastyTexts.escaped(photo.utf8))/film")
                }
                if options.contains(.originals) {
                    #expect(answers.filter { $0.status == 200 && $0.body == Self.film }.count == 1)
                } else {
                    #expect(answers.allSatisfy { $0.status == 403 && $0.problem == "insufficient-scope" })
                }
            }
        }
    }
}
