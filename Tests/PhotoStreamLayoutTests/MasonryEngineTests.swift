import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The engine against the reference that shares no code with it.
@Suite struct MasonryEngineTests {
    @Test(arguments: 1...4, MasonryParameters.ColumnChoice.allCases)
    func `every sequence of up to six items equals the reference`(
        columnCount: Int, choice: MasonryParameters.ColumnChoice
    ) throws {
        let items = try [(3, 2), (2, 3), (1, 50), (50, 1)].map {
            ItemMetrics(pixelSize: try PixelSize(width: $0, height: $1), hasCaption: $0 == 3)
        }
        let configuration = LayoutConfiguration.masonry(
            columnCount, width: 103, choice: choice, spacing: 3, caption: 5)
        let key = try LayoutKey(configuration)
        for length in 0...6 {
            for number in 0..<(0..<length).reduce(1, { product, _ in product * items.count }) {
                var digits = number
                let sequence = (0..<length).map { _ in
                    defer { digits /= items.count }
                    return items[digits % items.count]
                }
                let snapshot = LayoutSnapshot(key, items: sequence)
                let expected = NaiveLayout(configuration, items: sequence)
                if let difference = Difference(snapshot, expected) {
                    Issue.record("\(difference) for \(sequence.map(\.pixelSize))")
                    return
                }
            }
        }
    }

    @Test(arguments: LayoutConfiguration.columnCounts, MasonryParameters.ColumnChoice.allCases)
    func `streams across chunk borders equal the reference`(
        columnCount: Int, choice: MasonryParameters.ColumnChoice
    ) throws {
        let capacity = LayoutSnapshot.chunkCapacity
        var random = SplitMix64(seed: UInt64(columnCount) << 1 | (choice == .shortest ? 1 : 0))
        let counts = [0, 1, columnCount, columnCount + 1, capacity - 1, capacity, capacity + 1, 5_000]
        for count in counts {
            let configuration = LayoutConfiguration.sample(
                columnCount: columnCount, columnChoice: choice, using: &random)
            try expectAgreement(configuration, SampleMetrics.mixed(count, using: &random))
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `any configuration and stream equal the reference`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let configuration = LayoutConfiguration.sample(using: &random)
        let count = random.int(in: 0...random.element(of: [20, 300, 1_500]))
        let items =
            switch seed % 4 {
            case 0: SampleMetrics.extreme(count, using: &random)
            case 1: SampleMetrics.realistic(count, using: &random)
            default: SampleMetrics.mixed(count, using: &random)
            }
        try expectAgreement(configuration, items)
    }

    @Test(arguments: LayoutConfiguration.displayScales, MasonryParameters.ColumnChoice.allCases)
    func `0 to c - 1 remaining pixels are distributed like in the reference`(
        scale: Double, choice: MasonryParameters.ColumnChoice
    ) throws {
        var random = SplitMix64(seed: 7)
        let items = SampleMetrics.mixed(60, using: &random)
        for spare in 0..<14 {
            let points = Double(140 + spare) / scale
            try expectAgreement(.masonry(7, width: points, choice: choice, scale: scale, caption: 3.5), items)
        }
    }

    @Test(arguments: UInt64(0)..<32)
    func `a minimum column width gives as many columns as in the reference`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let minimum = Double(random.int(in: 4...1_600)) / 4
            var configuration = LayoutConfiguration(
                containerLength: Double(random.int(in: 400...8_000)) / 4,
                displayScale: random.element(of: LayoutConfiguration.displayScales),
                interitemSpacing: Double(random.int(in: 0...80)) / 4,
                algorithm: .masonry(MasonryParameters(columns: .minimumWidth(minimum))))
            configuration.contentInset.left = Double(random.int(in: 0...100)) / 4
            #expect(try LayoutKey(configuration).columnCount == NaiveLayout.columnSpans(configuration).count)
        }
    }

    @Test func `masonic's own example of a minimum width gives four columns`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 845, interitemSpacing: 35,
            algorithm: .masonry(MasonryParameters(columns: .minimumWidth(185))))
        #expect(try LayoutKey(configuration).columnCount == 4)
    }

    @Test func `round robin puts item i in column i mod count`() throws {
        var random = SplitMix64(seed: 1)
        let items = SampleMetrics.mixed(LayoutSnapshot.chunkCapacity + 50, using: &random)
        // Columns of 101, then 100 pixels.
        let lefts: [Int64] = [0, 101, 201, 301, 401, 501, 601]
        let snapshot = LayoutSnapshot(try LayoutKey(.masonry(7, width: 701, choice: .roundRobin)), items: items)
        #expect(snapshot.frames.map(\.x) == items.indices.map { lefts[$0 % 7] })
    }

    @Test func `of equally short columns, the first takes the item`() throws {
        let square = ItemMetrics(pixelSize: try PixelSize(width: 10, height: 10))
        for count in [2, 8, 9, 128] {
            let snapshot = LayoutSnapshot(
                try LayoutKey(.masonry(count, width: Double(count * 10))),
                items: [ItemMetrics](repeating: square, count: 3 * count))
            #expect(snapshot.frames.map(\.x) == (0..<3 * count).map { Int64($0 % count * 10) })
        }
    }

    @Test func `a small layout matches a drawing by hand`() throws {
        // Four columns of 23, 23, 22, 22 pixels between insets of 2 and 3 and spaces of 1.
        var configuration = LayoutConfiguration.masonry(4, width: 98, spacing: 1, caption: 4)
        configuration.contentInset = EdgeInsets(top: 7, left: 2, bottom: 9, right: 3)
        let sizes = [(1, 1), (2, 1), (22, 33), (1, 2), (23, 3), (1, 1)]
        let items = try sizes.map {
            ItemMetrics(pixelSize: try PixelSize(width: $0, height: $1), hasCaption: $0 == 2)
        }
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        #expect(
            snapshot.frames == [
                PixelRect(x: 2, y: 7, width: 23, height: 23),
                // 11.5 rounds up to 12; its caption takes four more.
                PixelRect(x: 26, y: 7, width: 23, height: 16),
                PixelRect(x: 50, y: 7, width: 22, height: 33),
                PixelRect(x: 73, y: 7, width: 22, height: 44),
                PixelRect(x: 26, y: 24, width: 23, height: 3),
                PixelRect(x: 26, y: 28, width: 23, height: 23),
            ])
        #expect(snapshot.contentSize == Size(width: 98, height: 60))
        #expect(snapshot.attributes(forItemAt: 1)?.captionExtent == 4)
        #expect(snapshot.attributes(forItemAt: 0)?.captionExtent == 0)
    }

    private func expectAgreement(
        _ configuration: LayoutConfiguration, _ items: [ItemMetrics], at location: SourceLocation = #_sourceLocation
    ) throws {
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let expected = NaiveLayout(configuration, items: items)
        let attributes = items.indices.compactMap { snapshot.attributes(forItemAt: $0) }
        let isEqual = attributes.map(\.frame) == expected.frames
        #expect(isEqual, "\(configuration)", sourceLocation: location)
        let captionsAreEqual = attributes.map(\.captionExtent) == expected.captionExtents
        #expect(captionsAreEqual, "\(configuration)", sourceLocation: location)
        #expect(snapshot.directory.contentSize == expected.contentSize, sourceLocation: location)
    }
}
