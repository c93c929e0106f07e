import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPrimary
@testable import PhotoStreamService

/// A server into whose stream pictures may be uploaded, with real workers.
private struct UploadServer {
    let server: TestServer

    /// Runs a server with one photo for a test.
    static func with(
        settings: ServerSettings = ServerSettings(), _ test: @escaping @Sendable (UploadServer) throws -> Void
    ) async throws {
        try await TestServer.with(photos: 1, settings: settings) { server in try test(UploadServer(server: server)) }
    }

    var folder: URL { TestServer.pictures(server.file) }

    static func target(_ name: String, of stream: String = "gallery") -> String {
        let unreserved = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        return "/v1/streams/\(stream)/pictures?name="
            + (name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
    }

    func callAsFunction(
        _ name: String, _ bytes: [UInt8], type: String = "image/png", _ fields: [String: String] = [:]
    ) throws -> HTTPClient.Answer {
        try server.client(
            "POST", Self.target(name), fields.merging(["Content-Type": type]) { first, _ in first }, body: bytes)
    }

    /// The names in the folder, hidden ones too.
    func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }

    /// Whether nothing has come of an upload: neither a file nor a photo.
    func isUntouched() throws -> Bool {
        let count = try server.service.read { try $0.stream(TestServer.stream) }.count
        return try names() == [SamplePicture.name] && count == 1
    }

    func url(_ name: String) -> URL { folder.appending(path: name) }
}

extension PhotoStreamService {
    /// The number of uploads whose photo may be missing.
    fileprivate func unfinishedUploadCount() throws -> Int {
        try transaction { try $0.uploads(on: HostIdentity.name).count }
    }
}

/// Uploads of pictures.
@Suite struct UploadRouteTests {
    @Test(arguments: [
        ("poster-arches.png", "image/png"), ("moonrise.webp", "application/octet-stream"),
        ("orientation-6.jpg", "image/jpeg; x=1"),
    ])
    func `an uploaded picture becomes a file, and a photo with thumbnails`(
        sample: String, type: String
    ) async throws {
        try await UploadServer.with { upload in
            let bytes = try UploadSamples.picture(sample)
            let name = "Été 1 & 2 " + sample
            let answer = try upload(name, bytes, type: type)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.json["id"] as? String == name)
            #expect(try [UInt8](Data(contentsOf: upload.url(name))) == bytes)
            #expect(try upload.names() == [SamplePicture.name, name])
            // The answer is that of the photo, including the validator.
            let photo = try upload.server.client("GET", try #require(answer.fields["location"]))
            #expect(photo.body == answer.body && photo.fields["etag"] == answer.fields["etag"])
            let picture = try #require(answer.json["picture"] as? [String: Any])
            let key = try #require(picture["key"] as? String)
            #expect(try upload.server.client("GET", "/v1/images/\(key)/480.webp").status == 200)
            let page = try upload.server.client("GET", "/v1/streams/gallery/layout/page?width=900")
            #expect(page.text.contains("Été"))
        }
    }

    @Test func `the stream reports whether uploads are enabled`() async throws {
        try await UploadServer.with { upload in
            try upload.server.service.createStream(StreamName("other"))
            let listed = try upload.server.client("GET", "/v1/streams").json["streams"] as? [[String: Any]]
            #expect(listed?.map { $0["canUpload"] as? Bool } == [true, false])
            let answer = try upload.server.client("POST", UploadServer.target("a.png", of: "other"))
            #expect(answer.status == 403 && answer.problem == "uploads-off")
            #expect(
                answer.json["detail"] as? String
                    == "nothing can be uploaded into stream \"other\"; the server's option --uploads allows it")
            // The row is allowed, not the name.
            try upload.server.service.renameStream(TestServer.stream, to: StreamName("renamed"))
            #expect(try upload.server.client("GET", "/v1/streams/renamed").json["canUpload"] as? Bool == true)
            try upload.server.service.removeRoot(upload.folder.path)
            let off = try upload.server.client("POST", UploadServer.target("a.png", of: "renamed"))
            #expect(off.problem == "uploads-off")
        }
    }

    @Test func `invalid names are refused`() async throws {
        try await UploadServer.with { upload in
            for (name, reason) in [
                ("", "the name is empty"),
                ("a/b.png", "the name contains a slash; it must be that of a file, without folders"),
                ("../b.png", "the name contains a slash; it must be that of a file, without folders"),
                ("a\u{0}.png", "the name contains a control character"),
                ("a\n.png", "the name contains a control character"),
                (".a.png", "the name begins with a dot, as hidden files do"),
                ("..", "the name begins with a dot, as hidden files do"),
                ("a", "the name has no extension, such as .jpg"),
                ("a.WMV", "files with the extension .wmv are not imported"),
                ("a.mp4", "its extension is .mp4, but a picture of its format has one such as .png"),
                ("a.txt", "files with the extension .txt are not imported"),
                (String(repeating: "a", count: 252) + ".png", "the name has 256 bytes; at most 255 are allowed"),
                (".\u{301}a.png", "the name begins with a dot, as hidden files do"),
                ("a.php", "its extension is .php, but a picture of its format has one such as .png"),
                ("a.svg", "its extension is .svg, but a picture of its format has one such as .png"),
                ("a.png:stream", "its extension is .png:stream, but a picture of its format has one such as .png"),
                ("a.jpg", "its extension is .jpg, but a picture of its format has one such as .png"),
            ] {
                let answer = try upload(name, UploadSamples.png)
                #expect(answer.status == 400 && answer.problem == "invalid-name", "\(name): \(answer.text)")
                #expect(answer.json["parameter"] as? String == "name")
                let detail = answer.json["detail"] as? String ?? ""
                #expect(detail.hasSuffix("cannot be the name of a picture: \(reason)"), "\(detail)")
            }
            let missing = try upload.server.client("POST", "/v1/streams/gallery/pictures")
            #expect(missing.problem == "missing-parameter" && missing.json["detail"] as? String == "name is missing")
            #expect(try upload.isUntouched())
        }
    }

    @Test func `an existing file is not replaced`() async throws {
        try await UploadServer.with { upload in
            let files = FileManager.default
            try files.createSymbolicLink(atPath: upload.url("dead.png").path, withDestinationPath: "nowhere")
            try files.createSymbolicLink(atPath: upload.url("out.png").path, withDestinationPath: "/etc/passwd")
            try files.createDirectory(at: upload.url("folder.png"), withIntermediateDirectories: false)
            let before = try upload.names()
            for name in [SamplePicture.name, "dead.png", "out.png", "folder.png"] {
                let answer = try upload(name, UploadSamples.png)
                #expect(answer.status == 409 && answer.problem == "file-exists", "\(name): \(answer.text)")
                #expect(
                    answer.json["detail"] as? String
                        == "there is a file \"\(name)\" already, and files are never replaced")
            }
            #expect(try upload.names() == before)
            #expect(try [UInt8](Data(contentsOf: upload.url(SamplePicture.name))) == SamplePicture.bytes)
        }
    }

    /// Uploads a picture whose file may get another name.
    private static func renaming(
        _ upload: UploadServer, _ name: String, _ bytes: [UInt8], _ query: String = ""
    ) throws -> HTTPClient.Answer {
        try upload.server.client(
            "POST", UploadServer.target(name) + "&name-taken=rename" + query, ["Content-Type": "image/png"], body: bytes
        )
    }

    @Test func `a file whose name is taken gets a number, and the same content is not stored again`() async throws {
        try await UploadServer.with { upload in
            func png(_ content: UInt8) -> [UInt8] { UploadSamples.png(Int(content)) }
            let names = ["IMG_1.PNG", "IMG_1-2.PNG", "IMG_1-3.PNG"]
            for (number, name) in names.enumerated() {
                let answer = try Self.renaming(upload, "IMG_1.PNG", png(UInt8(number)))
                #expect(answer.status == 201 && answer.json["id"] as? String == name, "\(answer.text)")
                #expect(answer.fields["location"]?.hasSuffix(name) == true)
            }
            for (number, name) in names.enumerated() {
                for requested in ["IMG_1.PNG", name, "other.png"] {
                    let answer = try Self.renaming(upload, requested, png(UInt8(number)))
                    #expect(answer.status == 200 && answer.json["id"] as? String == name, "\(answer.text)")
                    #expect(answer.fields["location"]?.hasSuffix(name) == true)
                }
            }
            #expect(try upload.names() == Set([SamplePicture.name] + names))
            // The same picture with a film or other metadata is another file.
            let longer = try Self.renaming(upload, "IMG_1.PNG", png(1) + [1])
            #expect(longer.status == 201 && longer.json["id"] as? String == "IMG_1-4.PNG", "\(longer.text)")
            // A photo without its file does not prove that the server has the picture.
            try FileManager.default.removeItem(at: upload.url("IMG_1-2.PNG"))
            let again = try Self.renaming(upload, "IMG_1.PNG", png(1))
            #expect(again.status == 201 && again.json["id"] as? String == "IMG_1-5.PNG", "\(again.text)")
            #expect(try upload("IMG_1.PNG", png(9)).problem == "file-exists")
            let wrong = try upload.server.client(
                "POST", UploadServer.target("a.png") + "&name-taken=replace", ["Content-Type": "image/png"],
                body: png(0))
            #expect(wrong.problem == "invalid-parameter" && wrong.text.contains("must be refuse or rename"))
        }
    }

    @Test func `the name of a deleted photo stays its own`() async throws {
        try await UploadServer.with { upload in
            #expect(try upload("a.png", UploadSamples.png).status == 201)
            #expect(try upload.server.client("DELETE", "/v1/streams/gallery/photos/a.png").status == 204)
            let other = try Self.renaming(upload, "a.png", UploadSamples.png(1))
            #expect(other.status == 201 && other.json["id"] as? String == "a-2.png", "\(other.text)")
            #expect(try Self.renaming(upload, "a.png", UploadSamples.png).problem == "deleted-before")
        }
    }

    @Test(arguments: [true, false])
    func `clients that send one name at once each get a name, and one content one photo`(isSame: Bool) async throws {
        try await UploadServer.with { upload in
            for round in 0..<5 {
                let answers = try atOnce(4) { number in
                    try Self.renaming(
                        upload, "\(round).png", UploadSamples.png(10 * round + (isSame ? 0 : number)))
                }
                let ids = Set(answers.compactMap { $0.json["id"] as? String })
                let statuses = answers.map(\.status).sorted()
                #expect(statuses == (isSame ? [200, 200, 200, 201] : [201, 201, 201, 201]), "\(answers.map(\.text))")
                #expect(ids.count == (isSame ? 1 : 4) && ids.contains("\(round).png"), "\(ids)")
            }
            #expect(try upload.names().count == 1 + (isSame ? 5 : 20))
        }
    }

    @Test func `a long name is shortened for its number`() async throws {
        try await UploadServer.with { upload in
            // The cut is between characters: é has two bytes.
            let stem = String(repeating: "é", count: 125)
            for (number, end) in [(0, "a.png"), (1, "-2.png"), (2, "-3.png")] {
                let answer = try Self.renaming(upload, stem + "a.png", UploadSamples.png(number))
                let id = try #require(answer.json["id"] as? String, "\(answer.text)")
                #expect(id.hasSuffix(end) && id.utf8.count <= 255 && id.hasPrefix("éé"), "\(id)")
            }
        }
    }

    @Test(arguments: [("86400000", true), ("1000000000123", true), ("253402300799999", false)])
    func `the time of the file on the client is the time of a photo without another one`(
        modified: String, isPast: Bool
    ) async throws {
        try await UploadServer.with { upload in
            let before = Date.now.timeIntervalSince1970
            let answer = try Self.renaming(upload, "a.png", UploadSamples.png, "&modified=\(modified)")
            #expect(answer.status == 201, "\(answer.text)")
            let photo = try upload.server.service.read { try $0.photo(PhotoID(stored: "a.png"), of: TestServer.stream) }
            let time = try #require(photo.takenAt).milliseconds
            let file = try FileManager.default.attributesOfItem(atPath: upload.url("a.png").path)
            let written = try #require(file[.modificationDate] as? Date).timeIntervalSince1970
            #expect(abs(Double(time) / 1_000 - written) < 0.002)
            // A clock that is ahead gives the time of the upload.
            let sent = try #require(Double(modified)) / 1_000
            if isPast { #expect(abs(written - sent) < 0.001) } else { #expect(written >= before - 1) }
            // Metadata and names are stronger.
            let named = try Self.renaming(
                upload, "IMG_20190203_040506.png", UploadSamples.png(1), "&modified=\(modified)")
            #expect((named.json["takenAt"] as? String)?.hasPrefix("2019-02-03T04:05:06") == true, "\(named.text)")
        }
    }

    @Test(arguments: ["-1", "1.5", "x", "", "253402300800000", "99999999999999999999"])
    func `a time that is none is refused`(modified: String) async throws {
        try await UploadServer.with { upload in
            let answer = try Self.renaming(upload, "a.png", UploadSamples.png, "&modified=\(modified)")
            #expect(answer.status == 400 && answer.problem == "invalid-parameter", "\(answer.text)")
            #expect(answer.json["parameter"] as? String == "modified")
            #expect(try upload.isUntouched())
        }
    }

    @Test func `an existing or deleted photo is not changed`() async throws {
        try await UploadServer.with { upload in
            #expect(try upload("a.png", UploadSamples.png).status == 201)
            try FileManager.default.removeItem(at: upload.url("a.png"))
            let there = try upload("a.png", UploadSamples.png)
            #expect(there.status == 409 && there.problem == "photo-exists")
            #expect(
                there.json["detail"] as? String == "the stream has a photo \"a.png\" already; choose another name")
            try upload.server.service.deletePhotos([PhotoID(stored: "a.png")], from: TestServer.stream)
            let deleted = try upload("a.png", UploadSamples.png)
            #expect(deleted.status == 409 && deleted.problem == "photo-deleted")
            #expect(
                deleted.json["detail"] as? String
                    == "photo \"a.png\" was deleted by a person; choose another name, or restore it")
        }
    }

    @Test func `a deleted picture is refused under any name unless it is restored`() async throws {
        try await UploadServer.with { upload in
            #expect(try upload("a.png", UploadSamples.png).status == 201)
            var record = PhotoRecord(id: PhotoID(stored: "a.png"))
            record.caption = .set("by hand")
            try upload.server.service.edit(record, in: TestServer.stream)
            #expect(try upload.server.client("DELETE", "/v1/streams/gallery/photos/a.png").status == 204)
            let refused = try upload("b.png", UploadSamples.png)
            #expect(refused.status == 409 && refused.problem == "deleted-before", "\(refused.text)")
            let detail = refused.json["detail"] as? String ?? ""
            #expect(
                detail.firstMatch(
                    of: /^a person deleted this picture on \d{4}-\d\d-\d\d; restore=true brings it back$/) != nil,
                "\(detail)")
            #expect(try !upload.names().contains("b.png"))
            let restored = try upload.server.client(
                "POST", UploadServer.target("b.png") + "&restore=true", ["Content-Type": "image/png"],
                body: UploadSamples.png)
            #expect(restored.status == 201 && restored.json["caption"] as? String == "by hand", "\(restored.text)")
        }
    }

    @Test func `of two uploads with one name, one succeeds`() async throws {
        try await UploadServer.with { upload in
            for round in 0..<5 {
                let answers = try atOnce(3) { _ in try upload("\(round).png", UploadSamples.png) }
                #expect(answers.map(\.status).sorted() == [201, 409, 409])
                #expect(answers.filter { $0.status == 409 }.allSatisfy { $0.problem == "file-exists" })
            }
            #expect(try upload.names().count == 6)
        }
    }

    @Test func `files that cannot be decoded leave nothing behind`() async throws {
        try await UploadServer.with { upload in
            let poster = try UploadSamples.picture("poster-arches.png")
            let jpeg = try UploadSamples.picture("orientation-6.jpg")
            let bomb = UploadSamples.png(width: 50_000, height: 50_000, content: [0x78, 0x9C, 3, 0, 0, 0, 0, 1])
            for (bytes, reason) in [
                (Array("This is a text.".utf8), "The content is not a picture of a known format."),
                (Array(poster.prefix(3_000)), "The picture is cut off or damaged."),
                (Array(jpeg.prefix(100)), "The picture's header is cut off or damaged."),
                (bomb, "It has 2500000000 pixels, more than 1000000000."),
                (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "The content is not a picture"),
            ] {
                let answer = try upload("new.png", bytes)
                #expect(answer.status == 422 && answer.problem == "undecodable-picture", "\(answer.text)")
                let detail = answer.json["detail"] as? String ?? ""
                #expect(detail.hasPrefix("the picture cannot be decoded: \(reason)"), "\(detail)")
                #expect(try upload.isUntouched(), "\(reason)")
            }
            let empty = try upload("new.png", [])
            #expect(empty.status == 400 && empty.json["detail"] as? String == "the body is empty")
            let text = try upload("new.png", UploadSamples.png, type: "text/plain")
            #expect(text.status == 415)
            #expect(try upload("new.png", UploadSamples.png, type: "image/").status == 415)
            #expect(try upload("new.png", UploadSamples.png, ["Origin": "http://example.org"]).status == 403)
            #expect(try upload.isUntouched())
        }
    }

    @Test(arguments: ["Content-Length: 2000", "Transfer-Encoding: chunked"])
    func `a picture that is too long is refused and leaves nothing behind`(framing: String) async throws {
        var settings = ServerSettings()
        settings.uploadLimit = 1_000
        try await UploadServer.with(settings: settings) { upload in
            let bytes = [UInt8](repeating: 1, count: 2_000)
            let isChunked = framing.contains("chunked")
            let body = isChunked ? Array("7d0\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8) : bytes
            let head = """
                POST \(UploadServer.target("new.png")) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r
                Content-Type: image/png\r\n\(framing)\r\n\r\n
                """
            let answer = try upload.server.client.exchange(Array(head.utf8) + body, to: "POST")
            #expect(answer.status == 413 && answer.problem == "body-too-large", "\(answer.text)")
            #expect(answer.json["detail"] as? String == "the body is longer than 1000 bytes")
            #expect(try eventually { try upload.isUntouched() })
        }
    }

    /// Begins an upload, a part of which has arrived.
    private func begun(_ upload: UploadServer, _ name: String) throws -> Int32 {
        let descriptor = try upload.server.client.connected()
        let before = try upload.names().count
        let head = """
            POST \(UploadServer.target(name)) HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r
            Content-Length: \(UploadSamples.png.count)\r\n\r\n
            """
        try HTTPClient.write(Array(head.utf8) + UploadSamples.png.prefix(20), to: descriptor)
        #expect(try eventually { try upload.names().count == before + 1 })
        return descriptor
    }

    @Test func `an upload that stalls or is abandoned leaves nothing behind`() async throws {
        var settings = ServerSettings()
        settings.bodySeconds = 2
        try await UploadServer.with(settings: settings) { upload in
            close(try begun(upload, "new.png"))
            #expect(try eventually { try upload.isUntouched() })
            let descriptor = try begun(upload, "new.png")
            defer { close(descriptor) }
            let answer = String(decoding: HTTPClient.readAll(descriptor), as: UTF8.self)
            #expect(answer.contains("HTTP/1.1 408 ") && answer.contains("body-too-slow"), "\(answer)")
            #expect(try eventually { try upload.isUntouched() })
        }
    }

    @Test func `an upload leaves nothing behind when the server ends`() async throws {
        var settings = ServerSettings()
        settings.endSeconds = 1
        try await UploadServer.with(settings: settings) { upload in
            let descriptor = try begun(upload, "new.png")
            defer { close(descriptor) }
            upload.server.stop()
            #expect(HTTPClient.readAll(descriptor).isEmpty)
            #expect(try eventually { try upload.isUntouched() })
        }
    }

    @Test func `concurrent uploads are limited`() async throws {
        var settings = ServerSettings()
        settings.uploads = 2
        try await UploadServer.with(settings: settings) { upload in
            let first = try begun(upload, "1.png")
            let second = try begun(upload, "2.png")
            let refused = try upload("3.png", UploadSamples.png)
            #expect(refused.status == 503 && refused.problem == "overloaded" && refused.fields["retry-after"] == "1")
            #expect(
                refused.json["detail"] as? String == "2 such requests are running or waiting; ask again later")
            try HTTPClient.write(Array(UploadSamples.png.dropFirst(20)), to: first)
            #expect(String(decoding: HTTPClient.readAll(first, atLeast: 20), as: UTF8.self).contains(" 201 "))
            #expect(try eventually { try upload("3.png", UploadSamples.png).status == 201 })
            close(first)
            close(second)
        }
    }

    @Test func `a folder that was removed or became a link refuses uploads`() async throws {
        try await UploadServer.with { upload in
            let (files, moved) = (FileManager.default, upload.folder.path + "-moved")
            try files.moveItem(atPath: upload.folder.path, toPath: moved)
            func expect(_ reason: String) throws {
                let answer = try upload("new.png", UploadSamples.png)
                #expect(answer.status == 503 && answer.problem == "uploads-unavailable", "\(answer.text)")
                #expect(answer.fields["retry-after"] == "5")
                #expect(
                    answer.json["detail"] as? String
                        == "no picture can be uploaded at the moment: its folder cannot be written to (\(reason))")
            }
            try expect("No such file or directory")
            try files.createSymbolicLink(atPath: upload.folder.path, withDestinationPath: moved)
            try expect("Too many levels of symbolic links")
            #expect(try files.contentsOfDirectory(atPath: moved) == [SamplePicture.name])
        }
    }

    /// A server for uploads into a folder, whose worker is another program.
    private func with(
        folder: String? = nil, worker: String?, _ test: @escaping @Sendable (UploadServer) throws -> Void
    ) async throws {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(1), into: TestServer.stream, of: file)
        try TestServer.addPicture(to: service, file)
        let destinations =
            folder.map { [PictureUploads.Destination(stream: TestServer.stream, folder: $0)] }
            ?? TestServer.uploads(file)
        try await TestServer.with(service, file, uploadsTo: destinations, worker: worker) { server in
            try test(UploadServer(server: server))
        }
    }

    @Test func `uploads are refused without a worker`() async throws {
        try await with(worker: "/nonexistent/photostream-pictures") { upload in
            let answer = try upload("new.png", UploadSamples.png)
            #expect(answer.status == 503 && answer.problem == "uploads-unavailable", "\(answer.text)")
            #expect(
                answer.json["detail"] as? String
                    == "no picture can be uploaded at the moment: there is no program that decodes pictures")
            #expect(try upload.isUntouched())
        }
    }

    @Test func `an upload whose server was killed is finished at the next start`() async throws {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream)
        try TestServer.addPicture(to: service, file)
        let folder = TestServer.pictures(file)
        let path = try RootPath(folder.path).resolvedPath
        func note(_ name: String, _ hiddenName: String) throws {
            let database = try PhotoDatabase(path: file.path, access: .existing, primary: file.primary)
            defer { try? database.close() }
            let row = try #require(try database.read { try $0.stream(named: TestServer.stream) })
            try database.writeLocally { writer in
                _ = try writer.addUpload(
                    UploadRow(
                        streamID: row.id, machine: HostIdentity.name, folder: path, hiddenName: hiddenName, name: name))
            }
        }
        try Data(UploadSamples.png).write(to: folder.appending(path: "named.png"))
        try Data(UploadSamples.png).write(to: folder.appending(path: ".photostream-upload-a"))
        for (name, hiddenName) in [
            ("named.png", ".photostream-upload-x"), ("hidden.png", ".photostream-upload-a"),
            ("gone.png", ".photostream-upload-y"),
        ] {
            try note(name, hiddenName)
        }
        try await TestServer.with(service, file, uploadsTo: TestServer.uploads(file)) { (server: TestServer) throws in
            let upload = UploadServer(server: server)
            #expect(
                try eventually { try server.client("GET", "/v1/streams/gallery/photos/named.png").status == 200 })
            #expect(try eventually { try server.service.unfinishedUploadCount() == 0 })
            #expect(try upload.names() == [SamplePicture.name, "named.png"])
            #expect(try upload("hidden.png", UploadSamples.png).status == 201)
            #expect(try server.service.unfinishedUploadCount() == 0)
        }
    }

    @Test(.enabled(if: PostgresServer.isAvailable))
    func `an upload is finished later if the primary does not say whether it has added the photo`() async throws {
        let primary = try TestPrimary(on: try PostgresServer())
        let file = try TemporaryDatabase()
        if TestPrimary.isOn { try FileManager.default.removeItem(atPath: file.path) }
        var timeouts = PostgresPrimary.Timeouts()
        timeouts.forWrite = .milliseconds(500)
        let own = PostgresPrimary(primary.address, timeouts: timeouts)
        try ReplicaFile.prepare(file.path, of: own)
        let service = try PhotoStreamService(path: file.path, access: .existing, primary: own) { 1 }
        try service.createStream(TestServer.stream)
        let folder = TestServer.pictures(file)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await TestServer.with(service, file, uploadsTo: TestServer.uploads(file)) { (server: TestServer) throws in
            let upload = UploadServer(server: server)
            // A commit waits for a standby that does not come.
            try primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
            try primary.psql("SELECT pg_reload_conf()")
            let answer = try upload("new.png", UploadSamples.png)
            #expect(answer.status == 503 && answer.problem == "primary-unavailable", "\(answer.text)")
            #expect(answer.text.contains("did not say whether it has stored this one"), "\(answer.text)")
            #expect(try upload.names() == ["new.png"])
            #expect(try service.unfinishedUploadCount() == 1)
            try primary.psql("ALTER SYSTEM RESET synchronous_standby_names")
            try primary.psql("SELECT pg_reload_conf()")
            #expect(try eventually { try service.unfinishedUploadCount() == 0 })
            #expect(try server.client("GET", "/v1/streams/gallery/photos/new.png").status == 200)
            #expect(try upload.names() == ["new.png"])
            #expect(try primary.psql("SELECT count(*) FROM photo") == "1")
        }
    }

    /// Forbids everyone, the superuser too, to create files in a folder, or allows it again.
    private func setImmutable(_ isImmutable: Bool, _ folder: URL) throws {
        let change = Process()
        change.executableURL = URL(filePath: "/usr/bin/chattr")
        change.arguments = [isImmutable ? "+i" : "-i", folder.path]
        try change.run()
        change.waitUntilExit()
    }

    @Test func `a read-only folder refuses uploads`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "uploads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o500])
        if getuid() == 0 { try setImmutable(true, folder) }
        defer {
            if getuid() == 0 { try? setImmutable(false, folder) }
            try? FileManager.default.removeItem(at: folder)
        }
        try await with(folder: folder.path, worker: PictureWorkers.locate()) { upload in
            let answer = try upload("new.png", UploadSamples.png)
            #expect(answer.status == 503 && answer.problem == "uploads-unavailable", "\(answer.text)")
            let detail = answer.json["detail"] as? String ?? ""
            #expect(detail.contains("its folder cannot be written to ("), "\(detail)")
            #expect(!detail.contains(folder.lastPathComponent))
        }
    }

    @Test func `uploads into a folder beneath a root find their sidecars`() async throws {
        let file = try TemporaryDatabase()
        let service = try TestServer.service(file)
        try service.createStream(TestServer.stream)
        try TestServer.addPicture(to: service, file)
        let inbox = TestServer.pictures(file).appending(path: "in box")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: false)
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """
        try Data(packet.utf8).write(to: inbox.appending(path: "a.png.xmp"))
        try Data("x".utf8).write(to: inbox.appending(path: ".photostream-upload-left"))
        let destination = PictureUploads.Destination(stream: TestServer.stream, folder: inbox.path)
        try await TestServer.with(service, file, uploadsTo: [destination]) { server in
            #expect(try service.roots().count == 1)
            // The leftovers of a killed server were removed.
            #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.path) == ["a.png.xmp"])
            let upload = UploadServer(server: server)
            let answer = try upload("a.png", UploadSamples.png)
            #expect(answer.status == 201 && answer.json["id"] as? String == "in box/a.png", "\(answer.text)")
            #expect(answer.json["rating"] as? Int == 4)
            #expect(answer.fields["location"] == "/v1/streams/gallery/photos/in%20box%2Fa.png")
            #expect(try server.client("GET", answer.fields["location"] ?? "").body == answer.body)
        }
    }
}
