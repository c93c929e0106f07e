import ArgumentParser
import CLimits
import PhotoStreamLayout
import PhotoStreamModel

/// The folds and the queries of the layout library, in memory.
struct LayoutBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout", abstract: "Nanoseconds a photo of every fold, and of queries, next to plain C loops.")

    @Option(help: "How many photos, smallest first.")
    var counts: [Int] = [10_000, 100_000, 1_000_000, 10_000_000]

    @Option(help: "How often each is measured.")
    var runs = 7

    func run() throws {
        let samples = try SampleLayouts()
        print("masonry, 1200 points, 4 columns, spacing 10; nanoseconds a photo, medians of \(runs)")
        print(
            "    photos  extents C  network C   search C  |"
                + " ours 4 col.  ours 8  ours 32  round robin  4 from sizes | ours/C"
        )
        for count in counts { try measureMasonry(count: count, samples: samples) }
        print(
            "\nother layouts; nanoseconds a photo next to the work in plain C, bytes a photo, allocations in 1,000 photos"
        )
        for layout in samples.others {
            print(layout.name)
            print("    photos       ours       C   ours/C     bytes  allocations")
            let figures = try counts.map { try measure(layout, count: $0, samples: samples) }
            if let first = figures.first, let last = figures.last, counts.count > 1 {
                print(
                    "    growth from \(counts[0]) to \(counts[counts.count - 1]) photos:", cell(last / first, width: 5))
            }
        }
        print("\nqueries; nanoseconds a query, random places; rect 1200x900 into a reused buffer, and as attributes")
        for layout in samples.queried {
            print(layout.name)
            print("    photos       rect     C  attributes   hits  frame by index  attributes  content size")
            for count in counts { try measureQueries(layout, count: count, samples: samples) }
        }
        print("\nmaps at zoom 12, photos of 44 points; laying out in nanoseconds a photo, then a query, random places")
        for travels in Travels.allCases {
            print(travels.rawValue)
            print("    photos       ours  rect 1200x900      filter   faster     hits  frame by index")
            for count in counts { try measureMap(travels, count: count, samples: samples) }
        }
        print("\nclusters of 72 points, screens of 1440x900; laying out in nanoseconds a photo, then ms a screen")
        for travels in Travels.allCases {
            for count in counts where count <= 1_000_000 {
                print(travels.rawValue + ", " + String(count) + " photos")
                print("  zoom  laying out       ours   at most  hash grid   faster  clusters    photos")
                try measureClusters(travels, count: count)
            }
        }
        print(
            """

            one photo inserted in memory, random places; microseconds, next to everything laid out again in plain C, then \
            chunks placed again
            """)
        for edited in try samples.edited() {
            print(edited.name)
            print("    photos       ours         C    ours/C   chunks")
            for count in counts { try measureEdits(edited, count: count, samples: samples) }
        }
    }

    private func measureMasonry(count: Int, samples: SampleLayouts) throws {
        let metrics = try samples.metrics(count)
        var extents = [UInt32](repeating: 0, count: count)
        var numbers = [UInt32](repeating: 0, count: count)
        // The columns of our layout are 293, 293, 292 and 292 pixels wide; the C loops know one width only.
        let layouts = samples.masonries
        let sizes = (0..<count).map { metrics[$0].pixelSize }
        var heights = [Double](repeating: 0, count: layouts.count + 1)
        var fronts: (UInt64, UInt64) = (0, 0)
        var work: [() throws -> Void] = [
            { metrics.words.withUnsafeBufferPointer { limit_extents($0.baseAddress, Int64(count), 292.5, &extents) } },
            { fronts.0 = limit_masonry_network(extents, Int64(count), 10, &numbers) },
            { fronts.1 = limit_masonry_search(extents, Int64(count), 10, &numbers) },
        ]
        for (index, key) in layouts.enumerated() {
            work.append { heights[index] = LayoutSnapshot(key, metrics: metrics).contentSize.height }
        }
        // As a program does it that knows nothing but an array of sizes.
        work.append { heights[layouts.count] = LayoutSnapshot(layouts[0], sizes: sizes).contentSize.height }
        let figures = try medians(runs: runs, work).map { $0 / Double(count) }
        precondition(heights[0] == heights[layouts.count], "sizes and metrics are laid out differently")
        // The widths differ by half a pixel at most, so the heights may differ by that share.
        precondition(fronts.0 == fronts.1, "the two C loops disagree")
        precondition(abs(heights[0] / Double(fronts.0) - 1) < 0.01, "the C loop lays out something else")
        print(
            cell(Double(count), places: 0), cell(figures[0]), cell(figures[1]), cell(figures[2]), " |",
            cell(figures[3], width: 11), cell(figures[4], width: 7), cell(figures[5], width: 8),
            cell(figures[6], width: 12), cell(figures[7], width: 13), " |",
            cell(figures[3] / (figures[0] + figures[1]), width: 6))
    }

    /// - Returns: Nanoseconds a photo.
    private func measure(
        _ layout: SampleLayouts.Named, count: Int, samples: SampleLayouts
    ) throws -> Double {
        let metrics = try samples.metrics(count)
        var snapshot = LayoutSnapshot(layout.key, metrics: metrics)
        let allocations = limit_allocation_count()
        snapshot = LayoutSnapshot(layout.key, metrics: metrics)
        let made = limit_allocation_count() - allocations
        let limit = FoldLimit(layout.limit, count: count)
        let figures = try medians(
            runs: runs,
            [
                { snapshot = LayoutSnapshot(layout.key, metrics: metrics) },
                { limit.run(metrics) },
            ]
        ).map { $0 / Double(count) }
        precondition(snapshot.itemCount == count, "the layout has lost photos")
        limit.check(snapshot.directory, lineCount: snapshot.lineCount)
        let isCompared = layout.limit != .none
        print(
            cell(Double(count), places: 0), cell(figures[0]),
            isCompared
                ? cell(figures[1], width: 7) + " " + cell(figures[0] / figures[1], width: 8) : "      -        -",
            cell(Double(snapshot.byteCount) / Double(count), width: 9),
            cell(Double(made) * 1_000 / Double(count), places: 1, width: 12))
        return figures[0]
    }
}

extension LayoutSnapshot {
    /// The number of lines; 0 in a layout without lines.
    fileprivate var lineCount: Int {
        directory.chunks.indices.reduce(0) { $0 + (placedChunk(at: $1).frames.lineCount ?? 0) }
    }

    /// The bytes of all frames.
    fileprivate var byteCount: Int {
        directory.chunks.indices.reduce(0) { $0 + placedChunk(at: $1).frames.byteCount }
    }
}
