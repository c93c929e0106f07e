import PhotoStreamModel
import Testing

@Suite struct PackedMetricsTests {
    @Test(arguments: [1, 3])
    func `reversed metrics equal those of the reversed items, spans included`(span: Int) throws {
        let items = try (1...5).map {
            let size = try PixelSize(width: $0, height: 9)
            return ItemMetrics(pixelSize: size, hasCaption: $0 == 2, columnSpan: $0 == 4 ? span : 1)
        }
        let packed = PackedMetrics(items)
        #expect(packed.reversed == PackedMetrics(items.reversed()))
        #expect(packed[1..<4].reversed == PackedMetrics(items[1..<4].reversed()))
        #expect(packed.reversed.reversed == packed && PackedMetrics([]).reversed.count == 0)
    }

    private static let sides = [1, 2, 3, 1_023, 1_024, 65_535, 65_536, 524_287, 524_288, 999_999, 1_000_000]

    /// Every pair of sides that is a size, with and without a caption.
    private static let items = sides.flatMap { width in
        sides.compactMap { try? PixelSize(width: width, height: $0) }.flatMap {
            [ItemMetrics(pixelSize: $0), ItemMetrics(pixelSize: $0, hasCaption: true)]
        }
    }

    @Test func `packing and unpacking restores metrics`() {
        let packed = PackedMetrics(Self.items)
        #expect(packed.count == Self.items.count)
        #expect((0..<packed.count).map { packed[$0] } == Self.items)
        #expect(PackedMetrics(words: packed.words) == packed)
    }

    @Test func `sizes are packed like items without other values`() {
        let sizes = Self.items.map(\.pixelSize)
        let expected = PackedMetrics(sizes.map { ItemMetrics(pixelSize: $0) })
        #expect(PackedMetrics(sizes: sizes) == expected)
        #expect(PackedMetrics(sizes: sizes.lazy.map { $0 }) == expected)
        #expect(PackedMetrics(sizes: []).count == 0)
    }

    @Test func `any sequence is packed like an array, spans and positions included`() throws {
        var items = Self.items
        items.append(ItemMetrics(pixelSize: try PixelSize(width: 3, height: 2), columnSpan: 3))
        let place = WorldPosition(try Coordinate(latitude: 12, longitude: 34))
        items.append(ItemMetrics(pixelSize: try PixelSize(width: 3, height: 2), position: place))
        let packed = PackedMetrics(items)
        #expect((0..<packed.count).map { packed[$0] } == items)
        #expect(PackedMetrics(items.lazy.filter { _ in true }) == packed)
    }

    @Test func `appending one by one packs the same words`() {
        var packed = PackedMetrics([ItemMetrics]())
        #expect(packed.count == 0)
        for item in Self.items { packed.append(item) }
        #expect(packed == PackedMetrics(Self.items))
    }

    @Test func `a word contains width, height and caption from its lowest bit`() throws {
        let size = try PixelSize(width: 3, height: 5)
        let packed = PackedMetrics([ItemMetrics(pixelSize: size), ItemMetrics(pixelSize: size, hasCaption: true)])
        #expect(Array(packed.words) == [3 | 5 << 20, 3 | 5 << 20 | 1 << 40])
        let greatest = ItemMetrics(pixelSize: try PixelSize(width: 1_000_000, height: 1_000_000), hasCaption: true)
        #expect(Array(PackedMetrics([greatest]).words) == [1_000_000 | 1_000_000 << 20 | 1 << 40])
    }

    @Test func `no word uses a reserved bit`() {
        #expect(PackedMetrics(Self.items).words.allSatisfy { $0 >> 41 == 0 })
    }
}
