import CLimits
import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel

extension LayoutBenchmark {
    func measureQueries(
        _ layout: SampleLayouts.Named, count: Int, samples: SampleLayouts
    ) throws {
        let metrics = try samples.metrics(count)
        let snapshot = LayoutSnapshot(layout.key, metrics: metrics)
        var generator = Generator(seed: 7)
        let height = snapshot.directory.contentSize.height
        let queries = 20_000
        let rects = (0..<queries).map { _ in
            PixelRect(
                x: 0, y: Int64(Double(generator.next(1 << 24)) / 0x1p24 * Double(height)), width: 1_200, height: 900)
        }
        let indices = (0..<queries).map { _ in Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(count)) }
        let limit = RectLimit(layout.limit, metrics: metrics)
        var buffer: [(index: Int, frame: PixelRect)] = []
        var (hits, found, sums) = (0, 0, [Int64](repeating: 0, count: 3))
        let figures = try medians(
            runs: runs,
            [
                {
                    hits = 0
                    for rect in rects {
                        collect(rect, of: snapshot, into: &buffer)
                        hits += buffer.count
                    }
                },
                { for rect in rects { limit.run(rect, metrics: metrics) } },
                {
                    found = 0
                    for rect in rects { found += snapshot.items(in: rect).count }
                },
                { sums[0] = indices.reduce(0) { $0 + (snapshot.frame(forItemAt: $1)?.y ?? 0) } },
                { sums[1] = indices.reduce(0) { $0 + (snapshot.attributes(forItemAt: $1)?.frame.y ?? 0) } },
                { sums[2] = indices.reduce(0) { sum, _ in sum + snapshot.directory.contentSize.height } },
            ]
        ).map { $0 / Double(queries) }
        precondition(hits > queries && hits == found, "the queries find nothing")
        precondition(sums[0] > 0 && sums[0] == sums[1] && sums[2] == height * Int64(queries), "the answers disagree")
        print(
            cell(Double(count), places: 0), cell(figures[0], places: 0),
            layout.limit == .masonry ? cell(figures[1], places: 0, width: 5) : "    -",
            cell(figures[2], places: 0, width: 11), cell(Double(hits) / Double(queries), places: 1, width: 6),
            cell(figures[3], places: 1, width: 15), cell(figures[4], places: 1, width: 11),
            cell(figures[5], places: 1, width: 13))
    }

    /// Takes the buffer as a parameter, since a captured variable would be checked for exclusive access at each hit.
    private func collect(
        _ rect: PixelRect, of snapshot: LayoutSnapshot, into buffer: inout [(index: Int, frame: PixelRect)]
    ) {
        buffer.removeAll(keepingCapacity: true)
        snapshot.forEachItem(in: rect) { index, frame in
            buffer.append((index, frame))
            return true
        }
    }

    /// Inserts one photo after the other, each followed by the question for the content size, which pays for it.
    func measureEdits(_ edited: SampleLayouts.Edited, count: Int, samples: SampleLayouts) throws {
        let lengths = edited.sectionLength.map { length in
            (0..<(count + length - 1) / length).map { min(length, count - $0 * length) }
        }
        let metrics = try samples.metrics(count)
        var layout = try CollectionLayout(edited.configuration, items: metrics, sectionLengths: lengths)
        _ = layout.contentSize
        var generator = Generator(seed: 3)
        let new = try samples.metrics(1)
        let clock = ContinuousClock()
        let before = layout.work
        var durations: [Duration] = []
        for _ in 0..<200 {
            let index = edited.isAtHead ? 0 : generator.next(count)
            durations.append(
                try clock.measure {
                    try layout.invalidate(with: .edits([.insert(new, at: index)]))
                    _ = layout.directory.contentSize
                })
        }
        precondition(layout.itemCount == count + 200, "the layout has lost photos")
        let limit = FoldLimit(edited.limit, count: count)
        let all = try medians(runs: runs, [{ limit.run(metrics) }])[0]
        print(
            cell(Double(count), places: 0), cell(median(durations) / 1_000), cell(all / 1_000),
            cell(median(durations) / all, places: 4),
            cell(Double(layout.work.chunksFolded - before.chunksFolded) / 200, places: 1))
    }
}
