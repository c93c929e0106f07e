import ArgumentParser
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Pages, rectangles and look-ups through the service and the file, and the cost of a new process.
struct ServiceBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Page, rect, item and locate through the service and the file; start of a process.")

    @Option(help: "How many photos, smallest first.")
    var counts: [Int] = [10_000, 100_000, 1_000_000]

    @Option(help: "How often each is measured.")
    var runs = 5

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        print("4 columns, 1200 points; medians of \(runs)")
        print("    photos | in process, microseconds           | a process, milliseconds")
        print("           |   page     rect     item   locate | start  first page  same, stored  import, rows/s")
        for count in counts { try Tool.withFolder { try measure(command, count: count, in: $0) } }
    }

    private func measure(_ command: String, count: Int, in folder: URL) throws {
        let (lines, csv) = (folder.appending(path: "photos.jsonl"), folder.appending(path: "photos.csv"))
        try GeneratedPhotos(count: count, dates: .random).write(jsonLines: lines, csv: csv)
        let file = folder.appending(path: "ours.sqlite").path(percentEncoded: false)
        let source = lines.path(percentEncoded: false)
        let imported = try ContinuousClock().measure {
            try Tool.run(command, arguments: ["import", "--database", file, "--stream", "bench", source])
        }
        let page = ["page", "--database", file, "--stream", "bench", "--width", "1200", "--json"]
        let cold = try ContinuousClock().measure { try Tool.run(command, arguments: page) }
        let starts = try medians(
            runs: runs,
            [{ try Tool.run(command, arguments: ["--version"]) }, { try Tool.run(command, arguments: page) }])
        let questions = try inProcess(file, count: count)
        print(
            cell(Double(count), places: 0), "|",
            questions.map { cell($0 / 1e3, places: 1, width: 8) }.joined(separator: " "),
            "|", cell(starts[0] / 1e6, places: 1, width: 5), cell(cold.nanoseconds / 1e6, places: 1, width: 11),
            cell(starts[1] / 1e6, places: 1, width: 13),
            cell(Double(count) / imported.nanoseconds * 1e9, places: 0, width: 15))
    }

    /// Nanoseconds for a page of 100, a rectangle of a screen, an item and a look-up, at random places.
    private func inProcess(_ file: String, count: Int) throws -> [Double] {
        let service = try PhotoStreamService(path: file, access: .existing, now: { 0 })
        let stream = try StreamName("bench")
        let key = try LayoutKey(LayoutConfiguration(containerLength: 1_200))
        let height = try key.displayScale.points(
            service.read { try $0.layout(key, of: stream).summary() }.context.contentSize
        )
        .height
        var generator = Generator(seed: 9)
        var (cursors, ids): ([String], [PhotoID]) = ([], [])
        var cursor: String?
        repeat {
            let answer: PageAnswer
            if let cursor {
                answer = try service.read { try $0.layout(key, of: stream).page(.after(cursor), limit: 1_000) }
            } else {
                answer = try service.read { try $0.layout(key, of: stream).page(limit: 1_000) }
            }
            cursor = answer.nextCursor
            if let cursor { cursors.append(cursor) }
            ids.append(answer.items[generator.next(answer.items.count)].photo.id)
        } while cursor != nil
        let questions = 200
        func fraction() -> Double { Double(generator.next(1 << 24)) / 0x1p24 }
        let figures = try medians(
            runs: runs,
            [
                {
                    for _ in 0..<questions {
                        let page = try service.read {
                            try $0.layout(key, of: stream).page(.after(cursors[generator.next(cursors.count)]))
                        }
                        precondition(page.items.count == 100, "a page is not full")
                    }
                },
                {
                    for _ in 0..<questions {
                        let rect = Rect(x: 0, y: fraction() * (height - 900), width: 1_200, height: 900)
                        let answer = try service.read { try $0.layout(key, of: stream).rect(.first(in: rect)) }
                        precondition(!answer.items.isEmpty, "a rectangle is empty")
                    }
                },
                {
                    for _ in 0..<questions {
                        let index = generator.next(count)
                        let answer = try service.read { try $0.layout(key, of: stream).item(at: index) }
                        precondition(answer.item.attributes.index == index, "an item is another")
                    }
                },
                {
                    for _ in 0..<questions {
                        let id = ids[generator.next(ids.count)]
                        let answer = try service.read { try $0.layout(key, of: stream).locate(id) }
                        precondition(answer.item.photo.id == id, "a photo is another")
                    }
                },
            ])
        return figures.map { $0 / Double(questions) }
    }
}
