import ArgumentParser
import Foundation

/// The cost of the change log's triggers for new photos, in SQLite alone.
struct TriggerBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triggers",
        abstract: "New photos with the triggers on, off with a log written in one statement, and off without a log.",
        discussion: """
            The sqlite3 shell copies the photos of one file into another of the same schema, in one transaction and with \
            the command's settings: so nothing but SQLite is measured. The middle way is what an import does.
            """
    )

    @Option(help: "How many photos.")
    var count = 500_000

    @Option(help: "How often each is measured.")
    var runs = 3

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    private enum Way: CaseIterable {
        case triggers, ownLog, noLog
    }

    func run() throws {
        let command = try Tool.photostream(photostream)
        print("\(count) photos, medians of \(runs); microseconds a photo")
        print("    dates      triggers on    own log     no log")
        for dates in GeneratedPhotos.Dates.allCases {
            try Tool.withFolder { try measure(command, dates: dates, in: $0) }
        }
    }

    private func measure(_ command: String, dates: GeneratedPhotos.Dates, in folder: URL) throws {
        let path = { (name: String) in folder.appending(path: name).path(percentEncoded: false) }
        let (lines, csv) = (folder.appending(path: "photos.jsonl"), folder.appending(path: "photos.csv"))
        try GeneratedPhotos(count: count, dates: dates).write(jsonLines: lines, csv: csv)
        let source = path("photos.jsonl")
        try Tool.run(command, arguments: ["import", "--database", path("source.sqlite"), "--stream", "bench", source])
        try Tool.run(command, arguments: ["streams", "create", "--database", path("empty.sqlite"), "bench"])
        var durations = [[Duration]](repeating: [], count: Way.allCases.count)
        var logs: [String] = []
        for _ in 0..<runs {
            for (index, way) in Way.allCases.enumerated() {
                let file = path("copy-\(index).sqlite")
                if FileManager.default.fileExists(atPath: file) { try FileManager.default.removeItem(atPath: file) }
                try FileManager.default.copyItem(atPath: path("empty.sqlite"), toPath: file)
                durations[index].append(
                    try ContinuousClock().measure { try insert(way, from: path("source.sqlite"), into: file) })
                logs.append(try Tool.run("/usr/bin/sqlite3", arguments: [file, Self.checkSQL]))
            }
        }
        precondition(logs[0] == logs[1] && logs[0] != logs[2], "the logs differ: \(logs)")
        print(
            "   ", dates.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0),
            durations.map { cell(median($0) / 1e3 / Double(count), width: 10) }.joined(separator: " "))
    }

    private func insert(_ way: Way, from source: String, into file: String) throws {
        let log = way == .ownLog ? Self.logSQL : ""
        let sql = "ATTACH '\(source)' AS source; BEGIN; \(Self.insertSQL); \(log) COMMIT"
        let settings = """
            PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;
            PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 131072;
            """
        let isOn = way == .triggers
        let arguments = ["-cmd", settings, "-cmd", ".dbconfig enable_trigger \(isOn ? "on" : "off")", file, sql]
        try Tool.run("/usr/bin/sqlite3", arguments: arguments)
    }

    private static let columns = """
        streamId, externalId, width, height, metricsSource, orientation, takenAtMilliseconds, utcOffsetMinutes, \
        takenAtPrecision, latitude, longitude, color, editedFields, captionSource, contentHash, placeholder, location, \
        tags, alt, caption, rating, title, camera
        """

    private static let insertSQL =
        "INSERT INTO photo (\(columns)) SELECT \(columns) FROM source.photo ORDER BY source.photo.id"

    private static let logSQL = """
        INSERT INTO change (streamId, photoId, kind, newTime, newRank)
        SELECT streamId, id, 0, orderTime, orderRank FROM photo NOT INDEXED ORDER BY id;
        """

    private static let checkSQL = """
        SELECT (SELECT count(*) FROM photo), count(*), min(revision), max(revision), sum(photoId), sum(newTime / 1000),
            sum(newRank % 1000003) FROM change
        """
}
