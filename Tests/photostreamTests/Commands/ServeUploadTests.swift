import Foundation
import PhotoStreamTestSupport
import Testing

/// `photostream serve --uploads`.
@Suite struct ServeUploadTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream("streams", "create", "holiday")
        try FileManager.default.createDirectory(at: photostream.url("new"), withIntermediateDirectories: false)
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: photostream.url("new").path))
    }

    private static let poster = Command.samples.appending(path: "pictures/poster-arches.png")

    /// Uploads a picture with `curl`, as a person does.
    private func upload(_ name: String, to server: ServedFile) throws -> [String: Any] {
        let text = try server.curl(
            "/v1/streams/holiday/pictures?name=\(name)", "-H", "Content-Type: image/png", "--data-binary",
            "@\(Self.poster.path)")
        return try Command.Outcome.object(text)
    }

    @Test(arguments: [
        (["holiday"], "\"holiday\" is not a stream and a folder, such as holiday=Pictures/holiday"),
        (["=new"], "\"=new\" is not a stream and a folder"),
        (["holiday="], "\"holiday=\" is not a stream and a folder"),
        (["a/b=new"], "the stream name \"a/b\" contains a slash"),
        (["holiday=new", "holiday=."], "--uploads names stream \"holiday\" twice"),
        (["beach=new"], "there is no stream \"beach\""),
        (["holiday=gone"], "the folder \"gone\" cannot be a root: No such file or directory"),
        (["holiday=file"], "the folder \"file\" cannot be a root: Not a directory"),
        (["holiday=/"], "\"/\" cannot be a root"),
    ])
    func `a folder that cannot take uploads is refused at the start`(values: [String], message: String) throws {
        try Data("x".utf8).write(to: photostream.url("file"))
        let answer = try photostream.run(["serve", "--port", "0"] + values.flatMap { ["--uploads", $0] })
        #expect(answer.status != 0 && answer.output.isEmpty)
        #expect(answer.errors.contains(message), "\(answer.errors)")
    }

    @Test func `the limit is a setting`() throws {
        let answer = try photostream.run(["serve", "--port", "0"], environment: ["PHOTOSTREAM_UPLOAD_LIMIT": "0"])
        let message = "PHOTOSTREAM_UPLOAD_LIMIT is \"0\", but must be a whole number from 1 to"
        #expect(answer.errors.contains(message), "\(answer.errors)")
    }

    @Test func `a picture is uploaded next to a watch, and the folder becomes a root`() throws {
        try Data("x".utf8).write(to: photostream.url("new/.photostream-upload-left"))
        let server = try ServedFile(in: photostream.folder, "--uploads", "holiday=new", "--watch")
        #expect(try names().isEmpty)
        let photo = try upload("a.png", to: server)
        #expect(photo["id"] as? String == "a.png" && photo["picture"] != nil, "\(photo)")
        #expect(try Data(contentsOf: photostream.url("new/a.png")) == Data(contentsOf: Self.poster))
        // The watch imports this one, and nothing of the other, once both are old enough.
        try FileManager.default.copyItem(at: Self.poster, to: photostream.url("new/b.png"))
        #expect(try eventually { try server.json("/v1/streams/holiday")["count"] as? Int == 2 })
        #expect(try server.json("/v1/streams/holiday")["revision"] as? Int == 2)
        #expect(try photostream("roots").output.contains("new"))
        let again = try photostream("import", "--stream", "holiday", "new").output
        #expect(again.contains("unchanged  2"), "\(again)")
        server.signal(SIGTERM)
        let end = server.end()
        // The only line is that of --open.
        #expect(end.status == 0 && end.errors.split(separator: "\n").count == 1, "\(end.errors)")
    }

    @Test func `a watch logs a file that cannot be read once, and not at every start`() throws {
        let whole = try Data(contentsOf: Command.samples.appending(path: "pictures/harbour-dusk.jpg"))
        try whole.prefix(300).write(to: photostream.url("new/old.jpg"))
        try FileManager.default.copyItem(at: Self.poster, to: photostream.url("new/a.png"))
        #expect(try photostream("import", "--stream", "holiday", "new").status == 2)
        for (start, name) in ["first.jpg", nil].enumerated() {
            let server = try ServedFile(in: photostream.folder, "--watch", "--no-pictures")
            if let name { try whole.prefix(301).write(to: photostream.url("new/\(name)")) }
            // The second one is imported after the walk that met the damaged file has ended.
            for (number, end) in ["y", "z"].enumerated() {
                try FileManager.default.copyItem(at: Self.poster, to: photostream.url("new/\(start)\(end).png"))
                let count = 2 + 2 * start + number
                #expect(try eventually { try server.json("/v1/streams/holiday")["count"] as? Int == count })
            }
            server.signal(SIGTERM)
            let errors = server.end().errors
            #expect(!errors.contains("old.jpg"), "\(errors)")
            let logged = errors.split(separator: "\n").filter { $0.contains("a file could not be imported") }
            #expect(
                logged.count == (name == nil ? 0 : 1) && logged.allSatisfy { $0.contains("first.jpg") }, "\(errors)")
        }
    }

    @Test func `a watch removes photos of files that are gone after a time`() throws {
        for name in ["a", "b", "c"] {
            try FileManager.default.copyItem(at: Self.poster, to: photostream.url("new/\(name).png"))
            let handle = try FileHandle(forWritingTo: photostream.url("new/\(name).png"))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(name.utf8))
            try handle.close()
        }
        #expect(try photostream("import", "--stream", "holiday", "new").status == 0)
        try FileManager.default.removeItem(at: photostream.url("new/a.png"))
        #expect(try photostream("import", "--stream", "holiday", "new").output.contains(/vanished +1\n/))
        // It was found a day ago.
        let shell = try SQLiteShell(database: photostream.url("photostream.sqlite").path)
        let sql = "UPDATE pictureFile SET reason = reason - 86400000 WHERE state = 3; SELECT changes()"
        #expect(try shell.ask(sql) == "1\n")
        try shell.close()
        let server = try ServedFile(in: photostream.folder, "--watch", "--prune-after", "12h", "--no-pictures")
        #expect(try eventually { try server.json("/v1/streams/holiday")["count"] as? Int == 2 })
        try FileManager.default.removeItem(at: photostream.url("new/b.png"))
        #expect(try eventually { try server.json("/v1/streams/holiday/photos/b.png")["vanished"] as? Bool == true })
        server.signal(SIGTERM)
        let errors = server.end().errors
        #expect(
            errors.split(separator: "\n").count {
                $0.contains("photos were removed because their files are gone; they are kept for 30 days")
                    && $0.contains("count=1")
            } == 1, "\(errors)")
        #expect(try photostream("photos", "show", "--stream", "holiday", "b.png").status == 0)
    }

    @Test(arguments: [
        (["--prune-after", "1d"], "--prune-after is for folders that are watched; add --watch"),
        (["--watch", "--prune-after", "soon"], "\"soon\" is not a duration such as 30m, 12h or 90d"),
        (["--watch", "--prune-after", "0d"], "\"0d\" is not a duration such as 30m, 12h or 90d"),
        (["--watch", "--prune-after", "2027-01-31"], "\"2027-01-31\" is not a duration such as 30m, 12h or 90d"),
    ])
    func `a time for pruning needs a watch and must be a duration`(arguments: [String], message: String) throws {
        let answer = try photostream.run(["serve", "--port", "0"] + arguments)
        #expect(answer.status == 64 && answer.errors.contains(message), "\(answer.errors)")
    }

    @Test func `leftovers of a killed server are removed at the next start`() throws {
        let server = try ServedFile(in: photostream.folder, "--uploads", "holiday=new")
        let descriptor = server.send(
            """
            POST /v1/streams/holiday/pictures?name=a.png HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r
            Content-Length: 1000\r\n\r\nbegin
            """)
        defer { close(descriptor) }
        #expect(try eventually { try names().count == 1 })
        server.signal(SIGKILL)
        _ = server.end()
        #expect(try names().first?.hasPrefix(".photostream-upload-") == true)
        let next = try ServedFile(in: photostream.folder, "--uploads", "holiday=new")
        #expect(try names().isEmpty)
        #expect(try upload("a.png", to: next)["id"] as? String == "a.png")
    }

    @Test func `a read-only file refuses uploads`() throws {
        let database = photostream.url("photostream.sqlite").path
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database)
        // Root may write to files regardless of their permissions.
        guard !FileManager.default.isWritableFile(atPath: database) else { return }
        let answer = try photostream.run(["serve", "--port", "0", "--uploads", "holiday=new"])
        #expect(answer.errors.contains("is open for reading only, so nothing can be uploaded into it"))
    }
}
