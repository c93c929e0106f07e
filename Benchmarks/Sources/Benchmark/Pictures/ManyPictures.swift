import Foundation

/// From an empty database to the first page of a large folder, while a server answers.
struct LargeFolderMeasurement {
    /// The part of a stream's answer that is read.
    private struct Stream: Decodable {
        let count: Int
    }

    let command: String
    let count: Int

    func run(in parent: URL) throws {
        let folder = parent.appending(path: "large")
        try SamplePictures.copy(count, into: folder)
        let database = parent.appending(path: "large.sqlite").path(percentEncoded: false)
        try Tool.run(command, arguments: ["streams", "create", "--database", database, "s"])
        let server = try ServedProcess(command, arguments: ["serve", "--open", "--database", database, "--port", "0"])
        defer { server.stop() }
        let client = try SocketClient(port: server.port)
        let start = ContinuousClock.now
        let work = Process()
        work.executableURL = URL(filePath: command)
        work.arguments = [
            "import", "--no-pictures", "--database", database, "--stream", "s", folder.path(percentEncoded: false),
        ]
        work.standardOutput = FileHandle.nullDevice
        work.standardError = FileHandle.nullDevice
        try Tool.start(work)
        var (first, all): (Duration?, Duration?)
        while all == nil {
            let isOver = !work.isRunning
            let stream = try client.get("/v1/streams/s", accept: "application/json")
            let photos = try JSONDecoder().decode(Stream.self, from: Data(stream.body)).count
            _ = try client.get("/v1/streams/s/layout/page?width=1200&limit=100", accept: "application/json")
            let time = ContinuousClock.now - start
            if photos > 0, first == nil { first = time }
            if photos == count { all = time }
            guard !isOver || all != nil else {
                throw Tool.Failure(description: "the import has ended with \(photos) photos of \(count)")
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
        print("\na folder of \(count) pictures, read while a server answers; seconds from an empty database")
        print("    first page with photos ", cell(seconds(first)))
        print("    first page of them all ", cell(seconds(all)))
    }
}

/// A server that makes the thumbnails of many pictures: its memory and that of its workers as their number grows, and
/// the growth of the change log.
struct WarmingMeasurement {
    let command: String
    let count: Int

    func run(in parent: URL) throws {
        let folder = parent.appending(path: "warming")
        try SamplePictures.copy(count, into: folder, areDistinct: true)
        let database = parent.appending(path: "warming.sqlite").path(percentEncoded: false)
        try Tool.run(
            command,
            arguments: [
                "import", "--no-pictures", "--database", database, "--stream", "s", folder.path(percentEncoded: false),
            ])
        let changes = try lastChange(database)
        let start = ContinuousClock.now
        let server = try ServedProcess(command, arguments: ["serve", "--open", "--database", database, "--port", "0"])
        defer { server.stop() }
        print("\nthumbnails of \(count) pictures in the background of a server; own memory in MB")
        print("      ready   seconds    server   workers")
        var ready = 0
        var rows = Array(1...10)
        while let row = rows.first {
            let counts = try self.counts(database)
            guard counts.failed == 0 else { throw Tool.Failure(description: "\(counts.failed) pictures have failed") }
            ready = counts.ready
            guard ready >= row * count / 10 else {
                Thread.sleep(forTimeInterval: 0.5)
                continue
            }
            rows.removeFirst()
            print(
                cell(Double(ready), places: 0), cell(seconds(ContinuousClock.now - start), places: 1),
                cell(Double(try server.ownMemory()), places: 0),
                cell(Double(try server.ownMemoryOfStarted()), places: 0))
            fflush(nil)
        }
        let after = try lastChange(database)
        print("    rows of the log of changes that this has added:", after - changes)
    }

    /// The number of the last row that the log of changes has ever had.
    private func lastChange(_ database: String) throws -> Int {
        let text = try Tool.run(
            "/usr/bin/sqlite3",
            arguments: ["-readonly", database, "SELECT ifnull(max(revision), 0) FROM change"])
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// The output of `pictures status --json` about the one stream.
    private struct Status: Decodable {
        struct Stream: Decodable {
            let ready: Int
            let failed: Int
        }

        let streams: [Stream]
    }

    private func counts(_ database: String) throws -> (ready: Int, failed: Int) {
        let text = try Tool.run(command, arguments: ["pictures", "status", "--json", "--database", database])
        let stream = try JSONDecoder().decode(Status.self, from: Data(text.utf8)).streams.first
        return (stream?.ready ?? 0, stream?.failed ?? 0)
    }
}

private func seconds(_ duration: Duration?) -> Double {
    duration.map { $0 / .seconds(1) } ?? 0
}
