import ArgumentParser
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// The time that a stored chunk of frames saves over folding the chunk again from its checkpoint.
struct StoredFramesBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored-frames",
        abstract: "The first question about a chunk, with its frames stored and without, for each algorithm.",
        discussion: """
            Each question asks a newly opened file for one item of a chunk that was not asked for before. What it takes to \
            read the chunk's photos and the item's row is in both figures. Layouts whose frames are not stored are left out; \
            LaidOutStream.storesFrames decides.
            """)

    @Option(help: "How many photos.")
    var count = 300_000

    @Option(help: "How often each is measured.")
    var runs = 5

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        print("\(count) photos, random dates; medians of \(runs), microseconds a chunk")
        print("    stored     folded  saved   bytes a photo  layout")
        try Tool.withFolder { folder in
            let file = folder.appending(path: "ours.sqlite").path(percentEncoded: false)
            let (lines, csv) = (folder.appending(path: "photos.jsonl"), folder.appending(path: "photos.csv"))
            try GeneratedPhotos(count: count, dates: .random).write(jsonLines: lines, csv: csv)
            try Tool.run(
                command,
                arguments: ["import", "--database", file, "--stream", "bench", lines.path(percentEncoded: false)])
            let stream = try StreamName("bench")
            for (name, key) in try layouts() { try measure(stream, key: key, named: name, file: file) }
        }
    }

    private func layouts() throws -> [(name: String, key: LayoutKey)] {
        let samples = try SampleLayouts()
        return [("masonry, 4 columns", samples.masonries[0])]
            + samples.others.filter { $0.limit != .none || $0.name.hasPrefix("masonry") }.map { ($0.name, $0.key) }
    }

    private func measure(_ stream: StreamName, key: LayoutKey, named name: String, file: String) throws {
        let writing = try PhotoStreamService(path: file, access: .existing, now: { Self.now })
        _ = try writing.warm(stream, layout: key)
        let positions = Array(Swift.stride(from: 500, to: count, by: 2_000))
        try ask(writing, itemsAt: positions, of: stream, key: key)
        try writing.storeDerived()
        let stored = try writing.cacheStatus().layouts.first { $0.layoutKey == key.description }
        try writing.close()
        guard let stored, stored.framesCount > 0 else { return print("    not stored: \(name)") }
        guard stored.framesCount >= positions.count / 2 else {
            throw Tool.Failure(description: "the frames of \(name) are not stored")
        }
        let bytes = try Tool.run(
            "/usr/bin/sqlite3",
            arguments: [file, "SELECT 1.0 * sum(length(frames)) / count(*) / 1024 FROM layoutFrames"])
        let bare = file + ".bare"
        try Tool.run(
            "/usr/bin/sqlite3",
            arguments: [file, "PRAGMA wal_checkpoint(TRUNCATE); VACUUM INTO '\(bare)'"])
        defer { try? FileManager.default.removeItem(atPath: bare) }
        try Tool.run("/usr/bin/sqlite3", arguments: [bare, "DELETE FROM layoutFrames"])
        let figures = try medians(
            runs: runs,
            [file, bare].map { path in { try askAnew(path, itemsAt: positions, of: stream, key: key) } })
        let opening = try medians(
            runs: runs, [file, bare].map { path in { try askAnew(path, itemsAt: [], of: stream, key: key) } })
        let each = zip(figures, opening).map { ($0 - $1) / Double(positions.count) / 1e3 }
        print(
            cell(each[0], places: 1), cell(each[1], places: 1), cell(each[1] - each[0], places: 1, width: 6),
            cell(Double(bytes.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0, places: 2, width: 15), "", name)
    }

    /// Asks a newly opened file, which stores nothing.
    private func askAnew(_ file: String, itemsAt positions: [Int], of stream: StreamName, key: LayoutKey) throws {
        let service = try PhotoStreamService(path: file, access: .readOnly, now: { Self.now })
        _ = try service.read { try $0.layout(key, of: stream).summary() }
        try ask(service, itemsAt: positions, of: stream, key: key)
        try service.close()
    }

    private func ask(
        _ service: PhotoStreamService, itemsAt positions: [Int], of stream: StreamName, key: LayoutKey
    ) throws {
        for position in positions {
            let answer = try service.read { try $0.layout(key, of: stream).item(at: position) }
            precondition(answer.item.attributes.index == position, "an item is another")
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
