import Foundation
import Testing

/// `photostream serve` as a process, together with other processes on the same file.
@Suite struct ServeCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    @Test(arguments: [SIGTERM, SIGINT])
    func `it prints its address, answers, and ends on a signal`(signal: Int32) throws {
        try photostream.importSamples()
        let server = try ServedFile(in: photostream.folder)
        #expect(server.address.hasPrefix("http://127.0.0.1:"))
        let answer = try server.curl("/v1/streams/demo/layout/page?width=900&limit=5")
        let printed = try photostream("page", "--stream", "demo", "--width", "900", "--limit", "5", "--json")
        #expect(answer + "\n" == printed.output)
        server.signal(signal)
        let (status, errors) = server.end()
        #expect(status == 0)
        #expect(errors.split(separator: "\n").count == 1 && errors.contains("(--open)"), "\(errors)")
    }

    @Test func `the reason why it cannot run is printed in a sentence`() throws {
        let missing = try photostream("serve", "--port", "0")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("photostream.sqlite does not exist"))
        try photostream.importSamples()
        let server = try ServedFile(in: photostream.folder)
        let taken = try photostream("serve", "--port", server.port)
        #expect(taken.status == 1)
        #expect(
            taken.errors
                == "photostream: port \(server.port) is used by another program; choose another one with --port\n"
        )
        #expect(server.isRunning)
        let wrong = try photostream("serve", "--port", "70000")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("--port is \"70000\", but must be a whole number from 0 to 65535"))
    }

    @Test func `errors spell a setting like in the environment`() throws {
        try photostream.importSamples()
        for (name, value) in [("PHOTOSTREAM_END_SECONDS", "abc"), ("PHOTOSTREAM_CONNECTIONS", "-1")] {
            let (status, errors) = try ServedFile(in: photostream.folder, environment: [name: value]).end()
            #expect(status == 64)
            #expect(errors.hasPrefix("photostream: \(name) is \"\(value)\", but must be"), "\(errors)")
        }
    }

    @Test func `origins are allowed by options, else by the environment`() throws {
        try photostream.importSamples()
        let (one, two, three) = ("http://localhost:5173", "app://gallery", "https://gallery.example")
        let environment = ["PHOTOSTREAM_ALLOWED_ORIGINS": "\(three), \(two):443"]
        for (server, allowed) in [
            (try ServedFile(in: photostream.folder), []),
            (try ServedFile(in: photostream.folder, environment: environment), [three]),
            (
                try ServedFile(
                    in: photostream.folder, "--allow-origin", one, "--allow-origin", two, environment: environment),
                [one, two]
            ),
        ] {
            for origin in [one, two, three] {
                let head = try server.curl("/v1/streams", "--head", "--header", "Origin: \(origin)").lowercased()
                #expect(head.contains("200 ok"))
                #expect(
                    head.contains("access-control-allow-origin: \(origin)\r\n") == allowed.contains(origin), "\(origin)"
                )
            }
        }
        let (status, errors) = try ServedFile(
            in: photostream.folder, environment: ["PHOTOSTREAM_ALLOWED_ORIGINS": "\(one),localhost"]
        ).end()
        #expect(status == 64 && errors.contains("\"localhost\" is not an origin"), "\(errors)")
        let wrong = try photostream("serve", "--allow-origin", "*")
        #expect(wrong.status == 64)
        #expect(
            wrong.errors.contains("\"*\" is not an origin; an origin is a scheme, a host and optionally a port"),
            "\(wrong.errors)")
    }

    @Test func `a chain of pages has each photo once while another process imports`() throws {
        func record(_ number: Int, _ day: Int) -> String {
            "{\"id\":\"p-\(number)\",\"width\":\(300 + number % 500),\"height\":\(200 + number % 700),"
                + "\"takenAt\":\"2024-01-\(day < 10 ? "0" : "")\(day)T00:00:00Z\"}\n"
        }
        try photostream.write("old.jsonl", (0..<6_000).map { record($0, 1 + $0 % 20) }.joined())
        try #require(try photostream("import", "--stream", "demo", "old.jsonl").status == 0)
        // Half of the new ones are before the chain's start and half after it: the latter are part of it.
        try photostream.write("new.jsonl", (6_000..<40_000).map { record($0, $0 % 2 == 0 ? 1 : 28) }.joined())
        let server = try ServedFile(in: photostream.folder)
        let old = Set(
            try photostream("photos", "--stream", "demo", "--export").jsonLines.compactMap { $0["id"] as? String })
        let importer = Process()
        importer.executableURL = try Command.binary()
        importer.arguments = ["import", "--stream", "demo", "new.jsonl"]
        importer.currentDirectoryURL = photostream.folder
        (importer.standardOutput, importer.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        var (seen, bottom, index): ([String], [Double], Int) = ([], [0, 0, 0], 0)
        var cursor: String?
        var pages = 0
        repeat {
            let page = try server.json(
                "/v1/streams/demo/layout/page?limit=500&" + (cursor.map { "cursor=\($0)" } ?? "width=900&columns=3"))
            if pages == 0 { try importer.run() }
            for item in try #require(page["items"] as? [[String: Any]], "\(page)") {
                seen.append(try #require(item["photo"] as? String))
                #expect(item["index"] as? Int == index)
                index += 1
                let frame = try #require(item["frame"] as? [String: Double])
                let column = Int(frame["x"] ?? 0) / 300
                // Each photo is directly below the previous one in its column: nothing is shifted.
                #expect(frame["y"] == bottom[column])
                bottom[column] = (frame["y"] ?? 0) + (frame["height"] ?? 0)
            }
            cursor = page["nextCursor"] as? String
            pages += 1
        } while cursor != nil
        importer.waitUntilExit()
        #expect(importer.terminationStatus == 0)
        #expect(Set(seen).count == seen.count)
        #expect(old.isSubset(of: Set(seen)))
        #expect(pages > 10)
    }

    @Test func `two processes that write concurrently both keep their writes`() throws {
        try photostream.write("one.jsonl", "{\"id\":\"one\",\"width\":3,\"height\":2}\n")
        try photostream("import", "--stream", "demo", "one.jsonl")
        let servers = [try ServedFile(in: photostream.folder), try ServedFile(in: photostream.folder)]
        let group = DispatchGroup()
        let count = 60
        for (side, server) in servers.enumerated() {
            let address = server.address
            group.enter()
            Thread.detachNewThread {
                for number in 0..<count {
                    let curl = Process()
                    curl.executableURL = URL(filePath: "/usr/bin/curl")
                    curl.arguments = [
                        "--silent", "--output", "/dev/null", "--request", "PUT", "--header",
                        "Content-Type: application/json", "--data", "{\"width\":3,\"height\":2}",
                        "\(address)/v1/streams/demo/photos/photo-\(side)-\(number)",
                    ]
                    try? curl.run()
                    curl.waitUntilExit()
                }
                group.leave()
            }
        }
        group.wait()
        for server in servers {
            #expect(try server.json("/v1/streams/demo/layout?width=900")["count"] as? Int == 2 * count + 1)
        }
        let verified = try photostream("cache", "verify")
        #expect(verified.status == 0, "\(verified.errors)")
    }

    @Test func `the pictures of API md are served once their folder is added`() throws {
        let page = try String(
            contentsOf: Command.samples.deletingLastPathComponent().appending(path: "Documentation/API.md"),
            encoding: .utf8)
        let line = try #require(page.split(separator: "\n").first { $0.contains("/image' --output ") })
        let target = try #require(line.components(separatedBy: "'").dropFirst().first)
            .replacing("http://127.0.0.1:8080", with: "")
        try photostream.importSamples(into: "sample")
        let server = try ServedFile(in: photostream.folder)
        #expect(try server.curl(target).contains("picture-not-found"))
        // The server that runs notices.
        #expect(page.contains("\nphotostream roots add SampleData\n"))
        try #require(try photostream("roots", "add", Command.samples.path).status == 0)
        let picture = photostream.url("balloons.jpg")
        _ = try server.curl(target, "--output", picture.path)
        #expect(
            try Data(contentsOf: picture)
                == Data(contentsOf: Command.samples.appending(path: "pictures/balloons-01.jpg")))
        #expect(try server.curl(target, "--range", "0-1", "--head").contains("Accept-Ranges: bytes"))
    }

    @Test func `clients that do not read large pictures do not exhaust memory or block others`() throws {
        let picture = photostream.url("large.jpg")
        try Data([0xFF, 0xD8, 0xFF]).write(to: picture)
        try #require(truncate(picture.path, 1 << 32) == 0)
        try photostream.write("p.jsonl", #"{"id":"large","location":"large.jpg"}"#)
        try photostream("import", "--stream", "demo", "p.jsonl")
        try photostream("roots", "add", ".")
        let server = try ServedFile(in: photostream.folder)
        let target = "/v1/streams/demo/photos/large/image"
        #expect(try server.curl(target, "--head").contains("Content-Length: \(1 << 32)\r\n"))
        let before = try #require(server.peakMemory)
        let clients = (0..<64).map { _ in server.ask(target) }
        defer { for client in clients { close(client) } }
        // Each has received as much as its socket buffers by the time others have been answered a few times.
        for _ in 0..<20 { #expect(try server.curl(target, "--range", "-3", "--output", "-").utf8.count == 3) }
        let taken = try #require(server.peakMemory) - before
        // Two blocks of 128 KiB for each, and some room; without waiting for them it was 12 MB for each.
        #expect(taken < 64 * 2 << 20, "\(taken >> 20) MiB")
    }

    @Test(arguments: [("README.md", 1), ("Documentation/API.md", 7)])
    func `the examples of a page are answered`(page: String, count: Int) throws {
        let text = try String(
            contentsOf: Command.samples.deletingLastPathComponent().appending(path: page), encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```sh\nphotostream serve").dropFirst().first)
        let joined = block.components(separatedBy: "```")[0].replacing("\\\n", with: " ")
        let lines = joined.components(separatedBy: "\n").dropFirst().filter { !$0.isEmpty }
        try FileManager.default.createSymbolicLink(
            at: photostream.url("SampleData"), withDestinationURL: Command.samples)
        try photostream("import", "--stream", "sample", "SampleData/photos.jsonl", "SampleData/photos.csv")
        let server = try ServedFile(in: photostream.folder)
        #expect(lines.count >= count)
        for line in lines {
            #expect(line.hasPrefix("curl "), "\(line)")
            let shell = Process()
            let output = Pipe()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = [
                "-c",
                line.replacing("curl ", with: "curl --silent --fail ", maxReplacements: 1)
                    .replacing("http://127.0.0.1:8080", with: server.address),
            ]
            shell.currentDirectoryURL = photostream.folder
            shell.standardOutput = output
            try shell.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0, "\(line)")
            #expect(text.hasPrefix("{"), "\(line)")
        }
    }
}
