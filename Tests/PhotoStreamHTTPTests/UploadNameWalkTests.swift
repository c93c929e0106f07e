import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

@testable import PhotoStreamHTTP
@testable import PhotoStreamService

/// The name of an upload is bytes: its file has exactly these, or there is none.
@Suite struct UploadNameWalkTests {
    /// The names in a folder, as bytes: Foundation's list is of texts, and a file system's of bytes.
    private static func names(in folder: URL) throws -> Set<[UInt8]> {
        let opened = try #require(opendir(folder.path))
        defer { closedir(opened) }
        var names: Set<[UInt8]> = []
        while let entry = readdir(opened) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            names.insert(name)
        }
        return names.subtracting([Array(".".utf8), Array("..".utf8)])
    }

    @Test func `an upload creates a file with exactly its name, or none`() async throws {
        try await TestServer.with(photos: 1) { server in
            let folder = TestServer.pictures(server.file)
            var expected = try Self.names(in: folder)
            var count = 0
            for (number, text) in NastyTexts.texts.enumerated() {
                // Pictures with other pixels, since a picture that was deleted is refused.
                let name = text + ".png"
                let answer = try server.client(
                    "POST", "/v1/streams/gallery/pictures?name=" + NastyTexts.escaped(name.utf8),
                    ["Content-Type": "image/png"], body: UploadSamples.png)
                let context: Comment = "\(number) \(NastyTexts.escaped(name.utf8)): \(answer.text.prefix(300))"
                if (try? UploadName(name)) != nil {
                    count += 1
                    expected.insert(Array(name.utf8))
                    #expect(answer.status == 201, context)
                    #expect(
                        answer.body.firstRange(of: Array("\"id\":".utf8) + JSONWriter.bytes { $0.value(name) }) != nil,
                        context)
                    // The field Location leads to the photo.
                    let photo = try server.client("GET", try #require(answer.fields["location"]))
                    #expect(photo.body == answer.body, context)
                } else {
                    #expect(answer.problem == "invalid-name", context)
                }
                #expect(try Self.names(in: folder) == expected, context)
                if let id = try? PhotoID(name), (try? UploadName(name)) != nil {
                    let again = try server.client(
                        "POST", "/v1/streams/gallery/pictures?name=" + NastyTexts.escaped(name.utf8),
                        ["Content-Type": "image/png"], body: UploadSamples.png)
                    #expect(again.problem == "file-exists", "\(id) \(again.text)")
                }
            }
            #expect(count >= 70)
            for bytes in NastyTexts.broken {
                let answer = try server.client(
                    "POST", "/v1/streams/gallery/pictures?name=\(NastyTexts.escaped(bytes)).png",
                    ["Content-Type": "image/png"], body: UploadSamples.png)
                #expect(answer.problem == "bad-escape", "\(bytes): \(answer.text.prefix(200))")
            }
            #expect(try Self.names(in: folder) == expected)
        }
    }
}
