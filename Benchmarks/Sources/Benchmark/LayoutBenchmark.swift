import ArgumentParser
import CLimits
import PhotoStreamLayout
import PhotoStreamModel

/// The folds and the queries of the layout library, in memory.
struct LayoutBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout", abstract: "Nanoseconds a photo of every fold, and of queries, beside plain C loops.")

    @Option(help: "How many photos, smallest first.")
    var counts: [Int] = [10_000, 100_000, 1_000_000, 10_000_000]

    @Option(help: "How often each is measured.")
    var runs = 7

    func run() throws {
        let samples = try SampleLayouts()
        print("masonry, 1200 points, 4 columns, spacing 10; nanoseconds a photo, medians of \(runs)")
        print("    photos  extents C  network C   search C  | ours 4 col.  ours 8  ours 32  round robin | ours/C")
        for count in counts { try measureMasonry(count, samples) }
        print("\nother layouts; nanoseconds a photo, bytes a photo, allocations in a thousand photos")
        for layout in samples.others {
            print(layout.name)
            for count in counts { try measure(layout.key, count, samples) }
        }
        print("\nqueries; nanoseconds a query, random places; rect 1200x900 into a reused buffer, and as attributes")
        for layout in samples.queried {
            print(layout.name)
            print("    photos       rect  attributes     hits  item by index  content size")
            for count in counts { try measureQueries(layout.key, count, samples) }
        }
    }

    private func measureMasonry(_ count: Int, _ samples: SampleLayouts) throws {
        let metrics = try samples.metrics(count)
        var extents = [UInt32](repeating: 0, count: count)
        var numbers = [UInt32](repeating: 0, count: count)
        // The columns of our layout are 293, 293, 292 and 292 pixels wide; the C loops know one width only.
        let layouts = samples.masonries
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

    private func measure(_ key: LayoutKey, _ count: Int, _ samples: SampleLayouts) throws {
        let metrics = try samples.metrics(count)
        var snapshot = LayoutSnapshot(key, metrics: metrics)
        let allocations = limit_allocation_count()
        snapshot = LayoutSnapshot(key, metrics: metrics)
        let made = limit_allocation_count() - allocations
        let bytes = snapshot.byteCount
        let figures = try medians(runs: runs, [{ snapshot = LayoutSnapshot(key, metrics: metrics) }])
        precondition(snapshot.itemCount == count, "the layout has lost photos")
        print(
            cell(Double(count), places: 0), cell(figures[0] / Double(count)),
            cell(Double(bytes) / Double(count)), cell(Double(made) * 1_000 / Double(count), places: 1))
    }

    private func measureQueries(_ key: LayoutKey, _ count: Int, _ samples: SampleLayouts) throws {
        let snapshot = LayoutSnapshot(key, metrics: try samples.metrics(count))
        var generator = Generator(seed: 7)
        let height = snapshot.directory.contentSize.height
        let queries = 20_000
        let rects = (0..<queries).map { _ in
            PixelRect(
                x: 0, y: Int64(Double(generator.next(1 << 24)) / 0x1p24 * Double(height)), width: 1_200, height: 900)
        }
        let indices = (0..<queries).map { _ in Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(count)) }
        var buffer: [(index: Int, frame: PixelRect)] = []
        var (hits, found, sum): (Int, Int, Int64) = (0, 0, 0)
        let figures = try medians(
            runs: runs,
            [
                {
                    hits = 0
                    for rect in rects {
                        buffer.removeAll(keepingCapacity: true)
                        snapshot.forEachItem(in: rect) { index, frame in
                            buffer.append((index, frame))
                            return true
                        }
                        hits += buffer.count
                    }
                },
                {
                    found = 0
                    for rect in rects { found += snapshot.items(in: rect).count }
                },
                {
                    sum = 0
                    for index in indices { sum &+= snapshot.attributes(forItemAt: index)?.frame.y ?? 0 }
                },
                {
                    var total: Int64 = 0
                    for _ in 0..<queries { total += snapshot.directory.contentSize.height }
                    precondition(total == height * Int64(queries), "the content size changes")
                },
            ])
        precondition(hits > queries && hits == found && sum > 0, "the queries find nothing")
        print(
            cell(Double(count), places: 0), cell(figures[0] / Double(queries), places: 0),
            cell(figures[1] / Double(queries), places: 0, width: 11),
            cell(Double(hits) / Double(queries), places: 1, width: 8),
            cell(figures[2] / Double(queries), places: 1, width: 14),
            cell(figures[3] / Double(queries), places: 1, width: 13))
    }
}

extension LayoutSnapshot {
    /// The bytes of all frames.
    fileprivate var byteCount: Int {
        directory.chunks.indices.reduce(0) { $0 + placedChunk(at: $1).frames.byteCount }
    }
}
