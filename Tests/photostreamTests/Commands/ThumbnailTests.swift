import Foundation
import PhotoStreamTestSupport
import Testing

/// A folder of real pictures, and commands that make and serve thumbnails with the real worker.
private final class PictureShop: Sendable {
    /// Whether the worker was built, and the program that makes further formats is there.
    static let isOpen =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/vips")
        && FileManager.default.isExecutableFile(
            atPath: BuiltCommand.url.deletingLastPathComponent().appending(path: "photostream-pictures").path)

    static let samples = Command.samples.appending(path: "pictures")

    let command: Command

    init() throws {
        command = try Command()
        try FileManager.default.createDirectory(at: command.url("pictures"), withIntermediateDirectories: true)
    }

    /// Copies sample pictures into the folder.
    func copy(_ names: String...) throws {
        for name in names {
            try FileManager.default.copyItem(
                at: Self.samples.appending(path: name), to: command.url("pictures/\(name)"))
        }
    }

    /// Makes hard links to a few small pictures.
    func fill(_ count: Int) throws {
        let names = ["poster-arches.png", "dunes-night-bus.webp", "moonrise.webp"]
        for number in 0..<count {
            let name = names[number % names.count]
            try FileManager.default.copyItem(
                at: Self.samples.appending(path: name), to: command.url("pictures/\(number)-\(name)"))
        }
    }

    /// Makes a file of another format of a sample picture.
    func convert(_ name: String, to other: String, _ operation: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/vips")
        process.arguments =
            operation.prefix(1) + [Self.samples.appending(path: name).path, command.url("pictures/\(other)").path]
            + operation.dropFirst()
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// A PNG file whose header is whole and whose pixels are zeros.
    func breakPicture(_ name: String) throws {
        let whole = try Data(contentsOf: Self.samples.appending(path: "poster-tiles.png"))
        try (whole.prefix(33) + Data(count: 5_000)).write(to: command.url("pictures/\(name)"))
    }

    func importPictures(_ options: String...) throws -> Command.Outcome {
        try command.run(["import", "--stream", "s"] + options + ["pictures"])
    }

    /// The numbers of pictures of the stream.
    func numbers() throws -> (ready: Int, failed: Int, pending: Int, stored: Int) {
        let status = try command("pictures", "--json").json
        let stream = try #require((status["streams"] as? [[String: Any]])?.first)
        func number(_ object: [String: Any], _ name: String) -> Int { object[name] as? Int ?? -1 }
        return (
            number(stream, "ready"), number(stream, "failed"), number(stream, "pending"), number(status, "stored")
        )
    }

    /// The answer to a request of `curl`, as bytes.
    struct Answer {
        let status: Int
        let fields: [String: String]
        let body: Data
    }

    func get(_ target: String, from server: ServedFile, accept: String = "*/*") throws -> Answer {
        let (head, body) = (command.url("head-\(UUID())"), command.url("body-\(UUID())"))
        let status = try server.curl(
            target, "--output", body.path, "--dump-header", head.path, "--write-out", "%{http_code}", "--header",
            "Accept: \(accept)")
        var fields: [String: String] = [:]
        for line in try String(contentsOf: head, encoding: .utf8).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        return Answer(status: Int(status) ?? 0, fields: fields, body: (try? Data(contentsOf: body)) ?? Data())
    }

    static let image = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
}

extension Data {
    fileprivate var isWebP: Bool { starts(with: Array("RIFF".utf8)) && dropFirst(8).starts(with: Array("WEBP".utf8)) }
    fileprivate var isJPEG: Bool { starts(with: [0xFF, 0xD8, 0xFF]) }
    fileprivate var isPNG: Bool { starts(with: [0x89, 0x50, 0x4E, 0x47]) }
}

/// Thumbnails from a folder to a client, in separate processes.
@Suite(.enabled(if: PictureShop.isOpen, "photostream-pictures or vips is missing"))
struct ThumbnailTests {
    @Test func `an import creates the thumbnails unless it is disabled`() throws {
        let shop = try PictureShop()
        try shop.fill(9)
        let plain = try shop.importPictures("--no-pictures")
        #expect(plain.status == 0 && !plain.errors.contains("thumbnail"), "\(plain.errors)")
        #expect(try shop.numbers() == (0, 0, 9, 0))
        #expect(try !shop.command.files.contains("photostream.pictures.sqlite"))
        // The files are unchanged, and missing thumbnails are made.
        let second = try shop.importPictures()
        #expect(second.status == 0 && second.errors.contains("thumbnails of 9 pictures, "), "\(second.errors)")
        // Pictures of one content share their thumbnails.
        #expect(try shop.numbers() == (9, 0, 0, 3))
        #expect(try shop.importPictures().errors.contains("thumbnail") == false)
        // One JSON object, as before.
        try shop.copy("orientation-6.jpg")
        #expect(try shop.importPictures("--json").json["inserted"] as? Int == 1)
        #expect(try shop.numbers() == (10, 0, 0, 4))
        #expect(try shop.command("pictures", "verify").output == "read 12 thumbnails: all is well\n")
        let dry = try shop.importPictures("--dry-run")
        #expect(dry.status == 0 && !dry.errors.contains("thumbnails of"))
    }

    @Test func `a picture that cannot be decoded is reported, and the exit code is 0`() throws {
        let shop = try PictureShop()
        try shop.copy("orientation-6.jpg")
        try shop.breakPicture("broken.png")
        let outcome = try shop.importPictures()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("1 picture cannot be decoded; photostream pictures tells why"))
        #expect(try shop.numbers() == (1, 1, 0, 1))
        let status = try shop.command("pictures").output
        #expect(status.contains("failures of stream \"s\"\n  1 picture: "), "\(status)")
        // It is not tried again until its file changes.
        #expect(try shop.importPictures().errors.contains("cannot be decoded") == false)
    }

    @Test func `an interrupted import reports it, and the next one creates the rest`() throws {
        let shop = try PictureShop()
        try shop.copy("orientation-6.jpg", "moonrise.webp")
        try #require(try shop.command("streams", "create", "s").status == 0)
        try #require(try shop.command("roots", "add", "pictures").status == 0)
        let first = #"{"id":"a","width":3,"height":2,"location":"orientation-6.jpg"}"#
        try shop.command.write("first.jsonl", first)
        try #require(try shop.command.run(["import", "--stream", "s", "first.jsonl"]).status == 0)
        let second = #"{"id":"b","width":3,"height":2,"location":"moonrise.webp"}"#
        try shop.command.write("both.jsonl", "\(first)\n\(second)")
        // A worker that stops before it decodes anything, so that the interruption never comes too late.
        let (worker, started) = (shop.command.url("worker").path, shop.command.url("started").path)
        try shop.command.write("worker", "#!/bin/sh\necho $$ > '\(started)'\nkill -STOP $$\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
        let process = try ProcessRunner(folder: shop.command.folder.path).start(
            ["import", "--stream", "s", "--database", "photostream.sqlite", "both.jsonl"],
            environment: ["PHOTOSTREAM_PICTURES_WORKER": worker], output: shop.command.url("out").path)
        #expect(eventually { FileManager.default.fileExists(atPath: started) })
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        let text = try shop.command.text("out.errors")
        #expect(text.contains("thumbnails are missing; the next import"), "\(text)")
        #expect(try shop.numbers() == (1, 0, 1, 1))
        let rest = try shop.command.run(["import", "--stream", "s", "both.jsonl"])
        #expect(rest.status == 0 && rest.errors.contains("thumbnails of 1 picture, "), "\(rest.errors)")
        #expect(try shop.numbers() == (2, 0, 0, 2))
    }

    @Test func `records alone create thumbnails if their stream has a root, and need no worker`() throws {
        let shop = try PictureShop()
        try shop.copy("orientation-6.jpg")
        try shop.command.write("a.jsonl", #"{"id":"a","width":3,"height":2,"location":"orientation-6.jpg"}"#)
        let arguments = ["import", "--stream", "s", "a.jsonl"]
        #expect(try shop.command.run(arguments).errors.contains("thumbnail") == false)
        #expect(try !shop.command.files.contains("photostream.pictures.sqlite"))
        try #require(try shop.command("roots", "add", "pictures").status == 0)
        let none = try shop.command.run(arguments, environment: ["PHOTOSTREAM_PICTURES_WORKER": "/nowhere"])
        #expect(none.status == 0)
        let lines = none.errors.split(separator: "\n").filter { $0.contains("photostream-pictures") }
        #expect(
            lines == ["photostream: the program photostream-pictures cannot be run, so no thumbnails are made"],
            "\(none.errors)")
        // A program that lacks a library, say.
        let bad = try shop.command.run(arguments, environment: ["PHOTOSTREAM_PICTURES_WORKER": "/bin/false"])
        #expect(bad.status == 0 && bad.errors.split(separator: "\n").count { $0.contains("/bin/false") } == 1)
        #expect(try shop.numbers() == (0, 0, 1, 0))
        #expect(try shop.command.run(arguments).errors.contains("thumbnails of 1 picture, "))
        #expect(try shop.numbers() == (1, 0, 0, 1))
    }

    @Test func `a server sends every format, and keeps the thumbnails over a restart`() throws {
        let shop = try PictureShop()
        try shop.copy("orientation-6.jpg", "moonrise.webp")
        try shop.convert("harbour-dusk.jpg", to: "a.heic", "heifsave", "--compression", "hevc")
        try shop.convert("harbour-dusk.jpg", to: "b.tif", "copy")
        try shop.breakPicture("broken.png")
        try #require(try shop.importPictures("--no-pictures").status == 0)
        var keys: [String: String] = [:]
        for round in 0..<2 {
            let server = try ServedFile(in: shop.command.folder, "--no-pictures")
            for id in ["orientation-6.jpg", "moonrise.webp", "a.heic", "b.tif"] {
                let target = "/v1/streams/s/photos/\(id)/image?size=320"
                let webP = try shop.get(target, from: server, accept: PictureShop.image)
                #expect(webP.status == 200 && webP.body.isWebP && webP.fields["content-type"] == "image/webp", "\(id)")
                let jpeg = try shop.get(target, from: server, accept: "image/jpeg")
                #expect(jpeg.status == 200 && jpeg.body.isJPEG && jpeg.fields["vary"] == "Accept", "\(id)")
                let key = try #require(webP.fields["etag"]).dropFirst().prefix(22)
                if round == 0 { keys[id] = String(key) }
                #expect(keys[id] == String(key))
                let address = "/v1/images/\(key)/320.webp"
                #expect(
                    try eventually { try shop.get(address, from: server).fields["etag"] == webP.fields["etag"] })
                let immutable = try shop.get(address, from: server)
                #expect(immutable.body == webP.body)
                #expect(immutable.fields["cache-control"] == "private, max-age=31536000, immutable")
            }
            // Formats that browsers do not show are sent as they are, too.
            let original = try shop.get("/v1/streams/s/photos/a.heic/image", from: server)
            #expect(original.fields["content-type"] == "image/heic" && original.status == 200)
            let broken = "/v1/streams/s/photos/broken.png/image?size=320"
            let problem = try shop.get(broken, from: server)
            #expect(problem.status == 404 && problem.fields["content-type"] == "application/problem+json")
            #expect(String(decoding: problem.body, as: UTF8.self).contains("no-thumbnail"))
            let pixel = try shop.get(broken, from: server, accept: PictureShop.image)
            #expect(pixel.status == 200 && pixel.body.isPNG && pixel.body.count < 200)
            #expect(pixel.fields["cache-control"] == "no-store")
            server.signal(SIGTERM)
            #expect(server.end().status == 0)
        }
        #expect(Set(keys.values).count == 4)
        let numbers = try shop.numbers()
        #expect(numbers.ready == 4 && numbers.failed == 1 && numbers.stored == 4, "\(numbers)")
        #expect(try shop.command("pictures", "verify").status == 0)
    }

    @Test func `a server with 64 open files sends 100 clients their thumbnails`() throws {
        let shop = try PictureShop()
        try shop.fill(12)
        try #require(try shop.importPictures("--no-pictures").status == 0)
        let server = try ServedFile(in: shop.command.folder, openFiles: 64)
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.command.url("pictures").path)
        func request(_ number: Int) -> RawRequest? {
            let target = "/v1/streams/s/photos/\(names[number % names.count])/image?size=\(320 << (number % 2))"
            return RawRequest("GET \(target) HTTP/1.1", port: server.port)
        }
        let clients = (0..<100).compactMap(request)
        #expect(clients.count == 100)
        for (number, client) in clients.enumerated() {
            var status = client.status()
            // On a busy machine, some are to try again.
            while status == 503 { status = request(number)?.status() }
            #expect(status == 200)
        }
        #expect(server.isRunning)
    }

    @Test func `a store that is deleted while the server runs is created again`() throws {
        let shop = try PictureShop()
        try shop.fill(3)
        try #require(try shop.importPictures().status == 0)
        let server = try ServedFile(in: shop.command.folder, "--no-pictures")
        let target = "/v1/streams/s/photos/1-dunes-night-bus.webp/image?size=640"
        let before = try shop.get(target, from: server)
        #expect(before.status == 200)
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: shop.command.url("photostream.pictures.sqlite\(ending)"))
        }
        let after = try shop.get(target, from: server)
        #expect(after.status == 200 && after.body == before.body && after.fields["etag"] == before.fields["etag"])
        #expect(try eventually { try shop.numbers().stored == 1 })
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
        #expect(try shop.command("pictures", "verify").output == "read 1 thumbnail: all is well\n")
    }

    @Test func `a process killed at random moments of a warm-up loses no picture`() throws {
        let shop = try PictureShop()
        try shop.fill(300)
        try #require(try shop.importPictures("--no-pictures").status == 0)
        let runner = ProcessRunner(folder: shop.command.folder.path)
        let database = shop.command.url("photostream.sqlite").path
        var random = SplitMix64(seed: 12)
        for _ in 0..<8 {
            _ = try runner.kill(
                ["pictures", "warm", "--database", database], after: .milliseconds(random.int(in: 50...1_500)))
        }
        #expect(try runner.run(["pictures", "warm", "--database", database]).terminationStatus == 0)
        #expect(try shop.numbers() == (300, 0, 0, 3))
        #expect(try shop.command("pictures", "verify").status == 0)
        try runner.expectSound(database, "after all kills")
    }
}
