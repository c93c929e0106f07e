import ArgumentParser
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// The growth of cost with the number of photos, through the service and the file.
struct ScaleBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Folds, openings, pages, look-ups, edits, memory and bytes, by the number of photos.",
        discussion: """
            Photos have random dates and are in one masonry of 4 columns at 1200 points, unless a row says by day. Next to \
            folds and openings is the plain work: copying the bytes, reading the same blobs from SQLite in C. "growth" is \
            the last column divided by the first, for figures per photo.
            """)

    @Option(help: "The numbers of photos, smallest first.")
    var counts: [Int] = [10_000, 100_000, 1_000_000]

    @Option(help: "How often each is measured.")
    var runs = 5

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    @Option(help: "Where to write the plot, as SVG.")
    var plot: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        var table = ScaleTable(counts: counts)
        for count in counts {
            try Tool.withFolder { folder in
                let subject = try ScaleSubject(count: count, runs: runs, command: command, folder)
                try subject.measure(into: &table)
            }
            print("measured \(count) photos; \(table.peakMemory) MB at most so far")
        }
        print(table.text)
        if let plot { try Data(ScalePlot(table).svg.utf8).write(to: URL(filePath: plot)) }
    }
}
