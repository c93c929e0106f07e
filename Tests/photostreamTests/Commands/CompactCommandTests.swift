import Foundation
import PhotoStreamTestSupport
import Testing

@Suite struct CompactCommandTests {
    private let photostream: Command
    private let runner: ProcessRunner

    init() throws {
        photostream = try Command()
        runner = ProcessRunner(folder: photostream.folder.path)
    }

    private var database: String { photostream.url("photostream.sqlite").path }

    private func byteCount(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    /// Every row that the file's truth and its promises rest on.
    private func rows() throws -> String {
        try runner.sqlite(
            database, "SELECT * FROM stream", "SELECT * FROM photo ORDER BY id",
            "SELECT * FROM change ORDER BY revision",
            "SELECT * FROM sqlite_sequence ORDER BY name", "SELECT hex(cursorKey) FROM secret",
            "SELECT * FROM streamIndex", "SELECT * FROM chunk ORDER BY id", "SELECT * FROM layout ORDER BY id",
            "SELECT * FROM layoutChunk", "SELECT layoutId, chunkId, checksum, hex(frames) FROM layoutFrames",
            "SELECT chunkId, hex(metrics), hex(rowIds) FROM chunkContent ORDER BY chunkId",
            "SELECT * FROM importRun ORDER BY id", "SELECT * FROM importFailure ORDER BY id", "PRAGMA application_id",
            "PRAGMA journal_mode", "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
    }

    /// A stream `kept` with a stored layout, an edit and a move, and the space of a deleted stream.
    private func makeSpace(_ count: Int = 20_000) throws {
        try photostream.importSamples(into: "kept")
        try photostream("photos", "edit", "--stream", "kept", "orientation-8", "--caption", "By hand")
        try photostream("photos", "move", "orientation-1", "--before", "orientation-8", "--stream", "kept")
        try photostream("photos", "delete", "--stream", "kept", "orientation-2")
        let lines = (0..<count).map { "{\"id\":\"p\($0)\",\"width\":3,\"height\":2,\"caption\":\"caption \($0)\"}" }
        try photostream.write("p.jsonl", lines.joined(separator: "\n"))
        try #require(try photostream("import", "--stream", "gone", "p.jsonl").status == 0)
        #expect(try photostream("cache", "warm", "--stream", "kept", "--width", "600").status == 0)
        #expect(try photostream("streams", "delete", "gone", "--yes").status == 0)
    }

    @Test func `the file shrinks, and rows, revisions, cursors and stored layouts do not change`() throws {
        try makeSpace()
        let page = try photostream("page", "--stream", "kept", "--width", "600", "--limit", "5", "--json").json
        let cursor = try #require(page["nextCursor"] as? String)
        let (rows, size) = (try rows(), try byteCount(database))
        let next = ["page", "--stream", "kept", "--cursor", cursor, "--limit", "5", "--json"]
        let expected = try photostream.run(next)
        let made = try photostream("compact", "--json")
        #expect(made.status == 0 && made.errors == "", "\(made.errors)")
        #expect(try made.json["bytesBefore"] as? Int == size)
        #expect(try made.json["bytesAfter"] as? Int == byteCount(database))
        #expect(try made.json["pending"] as? Bool == false)
        #expect(try byteCount(database) < size * 9 / 10, "the log keeps what was deleted, nothing else does")
        #expect(try self.rows() == rows)
        #expect(try photostream.run(next).output == expected.output)
        let warmed = try photostream("cache", "warm", "--stream", "kept", "--width", "600", "--json").json
        #expect(warmed["foldedChunks"] as? Int == 0)
        #expect(try photostream("cache", "verify").status == 0)
        #expect(try runner.sqlite(database, "PRAGMA integrity_check") == "ok\n")
        let again = try photostream("compact")
        #expect(
            again.output.contains("bytes before") && again.output.hasPrefix("photostream.sqlite: "), "\(again.output)")
    }

    @Test func `a file that is read-only, locked or missing is refused with the reason`() throws {
        try photostream.importSamples()
        #expect(try photostream("compact", "--database", "nothing.sqlite").status == 1)
        let before = try rows()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database)
        if !FileManager.default.isWritableFile(atPath: database) {
            let refused = try photostream("compact")
            #expect(refused.status == 1 && refused.errors.contains("is read-only"), "\(refused.errors)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: database)
        let writer = try SQLiteShell(database: database)
        defer { try? writer.close() }
        #expect(try writer.ask("BEGIN IMMEDIATE; SELECT 'locked'") == "locked\n")
        let locked = try photostream("compact")
        #expect(locked.status == 1)
        #expect(locked.errors.contains("is locked by another program; gave up after 5 seconds"), "\(locked.errors)")
        #expect(try writer.ask("ROLLBACK; SELECT 'free'") == "free\n")
        #expect(try rows() == before)
    }

    @Test func `with another program's open read, the file is compacted later, and the program sees its snapshot`()
        throws
    {
        try makeSpace()
        let (before, size) = (try rows(), try byteCount(database))
        let reader = try SQLiteShell(database: database)
        let count = try reader.ask("BEGIN; SELECT count(*) FROM photo")
        let made = try photostream("compact", "--json")
        #expect(made.status == 0 && made.errors.contains("keeps the file from shrinking yet"), "\(made.errors)")
        #expect(try made.json["pending"] as? Bool == true)
        #expect(try byteCount(database) == size)
        #expect(try reader.ask("SELECT count(*) FROM photo") == count)
        #expect(try reader.ask("COMMIT; SELECT 'done'") == "done\n")
        try reader.close()
        #expect(try photostream("photos", "edit", "--stream", "kept", "orientation-8", "--alt", "x").status == 0)
        #expect(try byteCount(database) < size * 9 / 10, "the log keeps what was deleted, nothing else does")
        #expect(try rows() != before)
        #expect(try photostream("cache", "verify").status == 0)
    }

    @Test func `a server answers while its file is compacted, and writes afterwards`() throws {
        try makeSpace()
        let server = try ServedFile(in: photostream.folder)
        let target = "/v1/streams/kept/layout/page?width=600&limit=5"
        let before = try server.curl(target)
        let revision = try #require(try server.json("/v1/streams/kept")["revision"] as? Int)
        let made = try photostream("compact")
        #expect(made.status == 0 && made.errors == "", "\(made.errors)")
        #expect(try server.curl(target) == before)
        let changed = try server.curl(
            "/v1/streams/kept/photos/orientation-8", "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
            "{\"alt\":\"after\"}")
        #expect(changed.contains("\"after\""), "\(changed)")
        let later = try #require(try server.json("/v1/streams/kept")["revision"] as? Int)
        #expect(later > revision)
        server.signal(SIGTERM)
        #expect(server.end().status == 0)
        #expect(try photostream("cache", "verify").status == 0)
    }

    @Test func `if compacting is killed, interrupted or out of space, the file is unchanged or compacted`() throws {
        try makeSpace(60_000)
        let pristine = photostream.url("pristine.sqlite").path
        try FileManager.default.copyItem(atPath: database, toPath: pristine)
        func restore() throws {
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + ending) }
            try FileManager.default.copyItem(atPath: pristine, toPath: database)
        }
        let expected = try rows()
        let start = ContinuousClock.now
        #expect(try photostream("compact").status == 0)
        let duration = start.duration(to: .now)
        var random = SplitMix64(seed: 41)
        for attempt in 0..<12 {
            try restore()
            let delay = duration * random.fraction()
            if attempt % 2 == 0 {
                _ = try runner.kill(["compact", "--database", database], after: delay)
            } else {
                let process = try runner.start(["compact", "--database", database])
                // The test needs random moments of wall time.
                Thread.sleep(forTimeInterval: Double(delay.components.attoseconds) / 1e18)
                process.interrupt()
                process.waitUntilExit()
            }
            #expect(try rows() == expected, "attempt \(attempt)")
            #expect(try runner.sqlite(database, "PRAGMA integrity_check") == "ok\n")
        }
        #expect(try photostream("compact").status == 0)
        #expect(try rows() == expected)
        // Files of at most 1 MB: the temporary file or the log cannot be written.
        try restore()
        let limited = Process()
        limited.executableURL = URL(filePath: "/bin/sh")
        limited.arguments = [
            "-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" compact --database \"$1\"", BuiltCommand.url.path, database,
        ]
        let errors = Pipe()
        limited.standardError = errors
        limited.standardOutput = FileHandle.nullDevice
        try limited.run()
        limited.waitUntilExit()
        let message = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(limited.terminationReason == .exit && limited.terminationStatus == 1, "\(message)")
        #expect(message.hasPrefix("photostream: "), "\(message)")
        #expect(try rows() == expected)
    }
}
