import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Items that take several columns, and columns that are chosen with a tolerance: the rules, computed by hand.
@Suite struct MasonrySpanTests {
    private func item(_ width: Int, _ height: Int, span: Int = 1) throws -> ItemMetrics {
        ItemMetrics(pixelSize: try PixelSize(width: width, height: height), columnSpan: span)
    }

    /// x, y, width, height of every item, in columns of 100 without spacing.
    private func frames(_ items: [ItemMetrics], _ parameters: MasonryParameters, columns: Int = 3) throws -> [[Int64]] {
        var parameters = parameters
        parameters.columns = .count(columns)
        let configuration = LayoutConfiguration(
            containerLength: Double(100 * columns), algorithm: .masonry(parameters))
        return LayoutSnapshot(try LayoutKey(configuration), items: items).frames.map {
            [$0.x, $0.y, $0.width, $0.height]
        }
    }

    @Test func `a wide item takes the window whose highest column is lowest, with its spacing`() throws {
        // Columns end at 100, 50, 50; the window of the last two is the lowest.
        let items = [try item(1, 1), try item(2, 1), try item(2, 1), try item(4, 1, span: 2), try item(1, 1)]
        #expect(
            try frames(items, MasonryParameters())
                == [
                    [0, 0, 100, 100], [100, 0, 100, 50], [200, 0, 100, 50], [100, 50, 200, 50], [0, 100, 100, 100],
                ])
        // In a tie, the first.
        let alike = [try item(1, 1, span: 2), try item(1, 1)]
        #expect(try frames(alike, MasonryParameters()) == [[0, 0, 200, 200], [200, 0, 100, 100]])
        let spaced = LayoutConfiguration(
            containerLength: 320, interitemSpacing: 10, lineSpacing: 7,
            algorithm: .masonry(MasonryParameters(columns: .count(3))))
        let snapshot = LayoutSnapshot(try LayoutKey(spaced), items: [try item(1, 1, span: 2), try item(1, 1, span: 3)])
        #expect(
            snapshot.frames == [
                PixelRect(x: 0, y: 0, width: 210, height: 210), PixelRect(x: 0, y: 217, width: 320, height: 320),
            ])
    }

    @Test func `a span is clamped to the number of columns`() throws {
        #expect(try frames([try item(4, 1, span: 128)], MasonryParameters(), columns: 2) == [[0, 0, 200, 50]])
        #expect(try frames([try item(4, 1, span: 2)], MasonryParameters(), columns: 1) == [[0, 0, 100, 25]])
        #expect(try item(1, 1, span: 1_000).columnSpan == 128)
        #expect(try item(1, 1, span: -3).columnSpan == 1)
    }

    @Test func `only items wider than the ratio take two columns`() throws {
        let items = [try item(3, 2), try item(301, 200), try item(1, 5)]
        #expect(
            try frames(items, MasonryParameters(spanWiderThan: 1.5))
                == [[0, 0, 100, 67], [100, 0, 200, 133], [0, 67, 100, 500]])
    }

    @Test func `with round robin, a wide item that does not fit before the last column goes to the first`() throws {
        let items = [try item(1, 1), try item(1, 1), try item(2, 1, span: 2), try item(1, 1), try item(1, 1)]
        #expect(
            try frames(items, MasonryParameters(columnChoice: .roundRobin))
                == [
                    [0, 0, 100, 100], [100, 0, 100, 100], [0, 100, 200, 100], [200, 0, 100, 100], [0, 200, 100, 100],
                ])
    }

    @Test func `within the tolerance, the first column in reading order takes the item`() throws {
        // Columns end at 100, 80, 50; 50 below the shortest reaches the first, 49 the second, 29 only the third.
        let items = [try item(1, 1), try item(10, 8), try item(2, 1), try item(1, 1)]
        for (tolerance, x, y) in [(0.0, 200, 50), (29, 200, 50), (30, 100, 80), (49, 100, 80), (50, 0, 100)] {
            let last = try frames(items, MasonryParameters(orderTolerance: tolerance)).last
            #expect(last == [Int64(x), Int64(y), 100, 100], "\(tolerance)")
        }
    }

    @Test(arguments: [0, 0.0009, 1_000.1, -1, .nan, .infinity])
    func `a ratio outside its range is named`(ratio: Double) {
        let configuration = LayoutConfiguration(
            containerLength: 400, algorithm: .masonry(MasonryParameters(spanWiderThan: ratio)))
        #expect {
            _ = try LayoutKey(configuration)
        } throws: { error in
            "\(error)".hasPrefix("span ratio is ") && "\(error)".hasSuffix("but must be 0.001 to 1000")
        }
    }

    @Test func `a tolerance outside its range is named`() {
        for tolerance in [-1, 10_001, Double.nan] {
            let configuration = LayoutConfiguration(
                containerLength: 400, algorithm: .masonry(MasonryParameters(orderTolerance: tolerance)))
            #expect {
                _ = try LayoutKey(configuration)
            } throws: { "\($0)".hasPrefix("order tolerance is ") }
        }
    }

    @Test func `packed metrics keep spans, whole, in part and one by one`() throws {
        let items = [try item(1, 1), try item(1, 2, span: 2), try item(3, 1), try item(3, 1)]
        let packed = PackedMetrics(items)
        #expect((0..<4).map { packed[$0] } == items)
        #expect((0..<2).map { packed[1..<3][$0] } == Array(items[1..<3]))
        var one = PackedMetrics([])
        for item in items { one.append(item) }
        #expect(one == packed)
        #expect(packed[2..<4] == PackedMetrics(items[2..<4]) && packed[2..<4].hashValue == one[2..<4].hashValue)
        #expect(PackedMetrics(items.map { ItemMetrics(pixelSize: $0.pixelSize) }) != packed)
    }

    @Test(arguments: [MasonryParameters.ColumnChoice.shortest, .roundRobin], MasonryParameters.Anchor.allCases)
    func `every sequence of up to five items with spans equals the reference`(
        choice: MasonryParameters.ColumnChoice, anchor: MasonryParameters.Anchor
    ) throws {
        let kinds = [try item(1, 1), try item(2, 1), try item(1, 3, span: 2), try item(5, 2, span: 3)]
        for columns in 1...4 {
            for tolerance in [0.0, 30] {
                let configuration = LayoutConfiguration(
                    containerLength: 203, interitemSpacing: 3, lineSpacing: 5,
                    algorithm: .masonry(
                        MasonryParameters(
                            columns: .count(columns), columnChoice: choice, orderTolerance: tolerance,
                            spanWiderThan: 1.9, anchor: anchor)))
                let key = try LayoutKey(configuration)
                for length in 0...5 {
                    for number in 0..<Int(pow(4, length)) {
                        let items = (0..<length).map { kinds[number >> (2 * $0) & 3] }
                        let found = LayoutSnapshot(key, items: items).frames
                        let expected = NaiveLayout(configuration, items: items).frames
                        #expect(found == expected, "\(columns) columns, \(number) of \(length)")
                    }
                }
            }
        }
    }

    private func pow(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }
}
