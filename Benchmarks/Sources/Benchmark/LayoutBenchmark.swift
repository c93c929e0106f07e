import ArgumentParser
import CLimits
import PhotoStreamLayout
import PhotoStreamModel

/// The fold and the queries of the layout library, in memory.
struct LayoutBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout", abstract: "Nanoseconds a photo of the fold, and of queries, beside plain C loops.")

    @Option(help: "How many photos, smallest first.")
    var counts: [Int] = [10_000, 100_000, 1_000_000, 10_000_000]

    @Option(help: "How often each is measured.")
    var runs = 7

    func run() throws {
        print("masonry, 1200 points, 4 columns, spacing 10; nanoseconds a photo, medians of \(runs)")
        print("    photos  extents C  network C   search C  | ours 4 col.  ours 8  ours 32  round robin | ours/C")
        for count in counts { try measureFold(count) }
        print("\nqueries on shortest column, 4 columns; nanoseconds a query, random places")
        print("    photos  rect 1200x900     hits  item by index  content size")
        for count in counts { try measureQueries(count) }
    }

    private func metrics(_ count: Int) throws -> PackedMetrics {
        var generator = Generator()
        var metrics = PackedMetrics([ItemMetrics]())
        for _ in 0..<count {
            let size = generator.size()
            metrics.append(ItemMetrics(pixelSize: try PixelSize(width: size.width, height: size.height)))
        }
        return metrics
    }

    private func key(_ columns: Int, _ choice: MasonryParameters.ColumnChoice = .shortest) throws -> LayoutKey {
        let parameters = MasonryParameters(
            columns: .count(columns), columnChoice: choice, interitemSpacing: 10, lineSpacing: 10)
        return try LayoutKey(LayoutConfiguration(containerWidth: 1_200, algorithm: .masonry(parameters)))
    }

    private func measureFold(_ count: Int) throws {
        let metrics = try metrics(count)
        var extents = [UInt32](repeating: 0, count: count)
        var numbers = [UInt32](repeating: 0, count: count)
        // The columns of our layout are 293, 293, 292 and 292 pixels wide; the C loops know one width only.
        let layouts = [try key(4), try key(8), try key(32), try key(4, .roundRobin)]
        var heights = [Double](repeating: 0, count: layouts.count)
        var fronts: (UInt64, UInt64) = (0, 0)
        var work: [() throws -> Void] = [
            { metrics.words.withUnsafeBufferPointer { limit_extents($0.baseAddress, Int64(count), 292.5, &extents) } },
            { fronts.0 = limit_masonry_network(extents, Int64(count), 10, &numbers) },
            { fronts.1 = limit_masonry_search(extents, Int64(count), 10, &numbers) },
        ]
        for (index, key) in layouts.enumerated() {
            work.append { heights[index] = LayoutSnapshot(key, metrics: metrics).contentSize.height }
        }
        let figures = try medians(runs: runs, work).map { $0 / Double(count) }
        // The widths differ by half a pixel at most, so the heights may differ by that share.
        precondition(fronts.0 == fronts.1, "the two C loops disagree")
        precondition(abs(heights[0] / Double(fronts.0) - 1) < 0.01, "the C loop lays out something else")
        print(
            cell(Double(count), places: 0), cell(figures[0]), cell(figures[1]), cell(figures[2]), " |",
            cell(figures[3], width: 11), cell(figures[4], width: 7), cell(figures[5], width: 8),
            cell(figures[6], width: 12), " |", cell(figures[3] / (figures[0] + figures[1]), width: 6))
    }

    private func measureQueries(_ count: Int) throws {
        let snapshot = LayoutSnapshot(try key(4), metrics: try metrics(count))
        var generator = Generator(seed: 7)
        let height = snapshot.contentSize.height
        let queries = 20_000
        let rects = (0..<queries).map { _ in
            Rect(x: 0, y: Double(generator.next(1 << 24)) / 0x1p24 * height, width: 1_200, height: 900)
        }
        let indices = (0..<queries).map { _ in Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(count)) }
        var (hits, sum): (Int, Int64) = (0, 0)
        let figures = try medians(
            runs: runs,
            [
                {
                    hits = 0
                    for rect in rects { hits += try snapshot.attributes(in: rect).count }
                },
                {
                    sum = 0
                    for index in indices { sum &+= snapshot.attributes(forItemAt: index)?.frame.y ?? 0 }
                },
                {
                    var total = 0.0
                    for _ in 0..<queries { total += snapshot.contentSize.height }
                    precondition(total == height * Double(queries), "the content size changes")
                },
            ])
        precondition(hits > queries && sum > 0, "the queries find nothing")
        print(
            cell(Double(count), places: 0), cell(figures[0] / Double(queries), places: 0, width: 14),
            cell(Double(hits) / Double(queries), places: 1, width: 8),
            cell(figures[1] / Double(queries), places: 1, width: 14),
            cell(figures[2] / Double(queries), places: 1, width: 13))
    }
}
