import Foundation
import PhotoStreamTestSupport
import Testing

/// The files of `photostream serve`: who can read them, and how many may be open.
@Suite struct ServeFilesTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: photostream.url(name).path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: photostream.url(name).path)
    }

    @Test func `every created file is private`() throws {
        let server = try ServedFile(in: photostream.folder)
        #expect(try server.json("/v1/streams")["streams"] != nil)
        try photostream("backup", "copy.sqlite")
        try photostream("restore", "copy.sqlite", "--database", "restored.sqlite")
        try photostream("export", "--stream", "demo", "--output", "photos.jsonl")
        let databases = try photostream.files.filter { $0.contains(".sqlite") }
        #expect(
            databases.isSuperset(of: [
                "photostream.sqlite", "photostream.sqlite-wal", "photostream.sqlite-shm", "photostream.pictures.sqlite",
                "copy.sqlite", "restored.sqlite",
            ]), "\(databases)")
        for name in databases.union(["photos.jsonl"]).intersection(try photostream.files) {
            #expect(try mode(name) == 0o600, "\(name)")
        }
        server.signal(SIGTERM)
        let end = server.end()
        // The only line is that of --open.
        #expect(end.status == 0 && end.errors.split(separator: "\n").count == 1, "\(end.errors)")
    }

    @Test func `a server removes other users' permissions from existing files once, and reports it`() throws {
        try setMode(0o664, of: "photostream.sqlite")
        var server = try ServedFile(in: photostream.folder)
        #expect(try mode("photostream.sqlite") == 0o660)
        server.signal(SIGTERM)
        var end = server.end()
        #expect(end.errors.contains("could read files of the database, and no longer can"), "\(end.errors)")
        #expect(end.errors.contains("photostream.sqlite"))
        server = try ServedFile(in: photostream.folder)
        server.signal(SIGTERM)
        end = server.end()
        #expect(end.status == 0 && end.errors.split(separator: "\n").count == 1, "\(end.errors)")
        let examined = try photostream("doctor")
        #expect(!examined.output.contains("other users of this machine"), "\(examined.output)")
    }

    @Test(.enabled(if: getuid() == 0)) func `a server that others reach refuses a file that all users can read`() throws
    {
        // As on a disk without permissions: the file is another user's, so the server cannot change them.
        try photostream("tokens", "create", "anna", "--scope", "read")
        try setMode(0o666, of: "photostream.sqlite")
        try setMode(0o777, of: ".")
        func serve(_ arguments: [String]) throws -> (status: Int32, errors: String) {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=65534", "--regid=65534", "--clear-groups", try Command.binary().path, "serve", "--port", "0"]
                + ["--no-pictures"] + arguments
            process.currentDirectoryURL = photostream.folder
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            // The address is the first line, and there is none if the server does not start.
            if !output.fileHandleForReading.availableData.isEmpty { kill(process.processIdentifier, SIGTERM) }
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
        let reached = ["--address", "0.0.0.0", "--host-name", "photos.test", "--allow-plain-http"]
        let refused = try serve(reached)
        #expect(refused.status == 1 && refused.errors.contains("allow it with --allow-readable-file"), "\(refused)")
        for arguments in [reached + ["--allow-readable-file"], []] {
            let allowed = try serve(arguments)
            #expect(allowed.status == 0, "\(allowed)")
            #expect(allowed.errors.contains("other users of this machine can read files of the database"), "\(allowed)")
        }
    }

    @Test func `a server with too few open files ends with a sentence, and one with 64 answers all clients`() throws {
        func limited(_ count: Int) -> [String] { ["-c", "ulimit -n \(count); exec \"$0\" serve --port 0 --open"] }
        for count in [16, 24, 63] {
            let process = Process()
            let errors = Pipe()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = limited(count) + [try Command.binary().path]
            process.currentDirectoryURL = photostream.folder
            process.standardError = errors
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 1, "\(count): \(text)")
            #expect(
                text.contains("a server needs 64 open files at least, and this process may have \(count)"), "\(text)")
        }
        let server = try ServedFile(in: photostream.folder, openFiles: 64)
        // 100 clients that hold their connections until all have sent.
        let target = "GET /v1/streams/demo/layout?width=900 HTTP/1.1"
        let clients = (0..<100).compactMap { _ in RawRequest(target, port: server.port) }
        #expect(clients.map { $0.status() } == Array(repeating: 200, count: 100))
        #expect(server.isRunning)
    }

    @Test func `a server that has no file left for another connection waits without work`() throws {
        let server = try ServedFile(in: photostream.folder, openFiles: 64)
        let idleCount = server.openFileCount
        // More than it can accept, and none sends a request.
        let connections = (0..<100).map { _ in server.send("") }
        defer { for connection in connections { close(connection) } }
        try #require(eventually { server.openFileCount > idleCount + 8 })
        let (before, start) = (server.processorSeconds, ContinuousClock.now)
        // The server ends a connection that sends nothing.
        var byte: UInt8 = 0
        #expect(recv(connections[0], &byte, 1, 0) == 0)
        let seconds = start.duration(to: .now) / .seconds(1)
        #expect(server.processorSeconds - before < 0.3 * seconds + 0.2, "of \(seconds) seconds")
    }
}
