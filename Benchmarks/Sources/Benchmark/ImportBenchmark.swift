import ArgumentParser
import Foundation

/// An import by the command next to `sqlite3`'s `.import` of the same values in stored form.
struct ImportBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Records a second next to sqlite3's .import into the same table and indexes.",
        discussion: """
            Ours is the whole command: start, new file, parsing JSON Lines, look-ups, triggers on, chunks, statistics. \
            The peer is sqlite3 with the same settings reading CSV in stored form into the same columns and indexes, \
            without triggers. Its table lacks STRICT and the CHECKs, because .import writes '' where NULL is meant: \
            so the peer does less.
            """
    )

    @Option(help: "How many photos.")
    var count = 1_000_000

    @Option(help: "How often each is measured.")
    var runs = 3

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        print("\(count) photos, medians of \(runs); records a second")
        print("    dates       photostream    sqlite3    ratio   bytes a photo   memory, MB")
        for dates in GeneratedPhotos.Dates.allCases {
            try Tool.withFolder { try measure(command, dates: dates, in: $0) }
        }
    }

    private func measure(_ command: String, dates: GeneratedPhotos.Dates, in folder: URL) throws {
        let (lines, csv) = (folder.appending(path: "photos.jsonl"), folder.appending(path: "photos.csv"))
        try GeneratedPhotos(count: count, dates: dates).write(jsonLines: lines, csv: csv)
        let (ours, peer) = (folder.appending(path: "ours.sqlite"), folder.appending(path: "peer.sqlite"))
        var durations: ([Duration], [Duration]) = ([], [])
        var memory = 0
        for _ in 0..<runs {
            for file in [ours, peer] { try remove(file) }
            durations.0.append(
                try ContinuousClock().measure {
                    try Tool.run(
                        command, arguments: ["import", "--database", path(ours), "--stream", "bench", path(lines)])
                })
            // The maximum of all child processes, which is that of our command.
            memory = Self.peakMemoryOfChildren
            try Tool.run("/usr/bin/sqlite3", arguments: [path(peer), Self.peerSchema])
            durations.1.append(
                try ContinuousClock().measure {
                    try Tool.run(
                        "/usr/bin/sqlite3",
                        arguments: [
                            "-cmd",
                            "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;",
                            path(peer), ".import --csv '\(path(csv))' photo",
                        ])
                })
        }
        let sums = try [ours, peer].map { try Tool.run("/usr/bin/sqlite3", arguments: [path($0), Self.checkSQL]) }
        precondition(sums[0] == sums[1], "the two files differ: \(sums)")
        let size = try FileManager.default.attributesOfItem(atPath: path(ours))[.size] as? Int ?? 0
        let rates = [median(durations.0), median(durations.1)].map { Double(count) / $0 * 1e9 }
        print(
            "   ", dates.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0),
            cell(rates[0], places: 0, width: 13),
            cell(rates[1], places: 0), cell(rates[0] / rates[1], width: 8),
            cell(Double(size) / Double(count), places: 1, width: 15), cell(Double(memory), places: 0, width: 12))
    }

    /// The most memory that a process had that has ended, in MB.
    private static var peakMemoryOfChildren: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return usage.ru_maxrss / 1_024
    }

    private static let checkSQL =
        "SELECT count(*), sum(width), sum(height), sum(takenAtMilliseconds / 1000), min(externalId), max(externalId) FROM photo"

    /// The photo table as the command creates it, as far as `.import` can fill it: it does not know generated columns,
    /// so the index computes the same expressions itself; nor NULL, so there is neither STRICT nor CHECK.
    private static let peerSchema = """
        PRAGMA journal_mode = WAL;
        CREATE TABLE photo (id INTEGER PRIMARY KEY, streamId INTEGER NOT NULL, externalId TEXT NOT NULL,
            width INTEGER NOT NULL, height INTEGER NOT NULL, metricsSource INTEGER NOT NULL, orientation INTEGER NOT NULL,
            takenAtMilliseconds INTEGER, utcOffsetMinutes INTEGER, takenAtPrecision INTEGER, movedTime INTEGER,
            movedRank INTEGER, movedFromTime INTEGER, latitude REAL, longitude REAL, color INTEGER,
            editedFields INTEGER NOT NULL, captionSource INTEGER, contentHash TEXT, placeholder TEXT, location TEXT,
            tags TEXT, alt TEXT, caption TEXT, rating INTEGER, title TEXT, camera TEXT);
        CREATE UNIQUE INDEX photoExternalId ON photo (streamId, externalId);
        CREATE UNIQUE INDEX photoOrder ON photo (streamId,
            coalesce(takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000, -9223372036854775808), id * 1048576);
        """

    private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

    private func remove(_ file: URL) throws {
        for suffix in ["", "-wal", "-shm"] {
            let path = path(file) + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }
}
