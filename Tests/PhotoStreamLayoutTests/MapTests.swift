import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Properties that only a map has; the laws of all layouts are tested with those.
@Suite struct MapTests {
    static func item(_ latitude: Double, _ longitude: Double) throws -> ItemMetrics {
        ItemMetrics(
            pixelSize: try PixelSize(width: 3, height: 2),
            position: WorldPosition(Coordinate(uncheckedLatitude: latitude, longitude: longitude)))
    }

    static let unplaced = ItemMetrics(pixelSize: PixelSize(uncheckedWidth: 3, height: 2))

    static func configuration(
        zoom: Int = 1, scale: Double = 1, width: Double = 300, item: Size = Size(width: 20, height: 10),
        header: Double = 0, _ direction: LayoutDirection = .leftToRight
    ) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: width, displayScale: scale, layoutDirection: direction, interitemSpacing: 4,
            lineSpacing: 6, sections: SectionParameters(headerReferenceSize: header),
            algorithm: .map(MapParameters(zoom: zoom, itemSize: item)))
    }

    @Test func `inserting or deleting a photo moves no other, but may change all levels`() throws {
        let items = try (0..<20).map { try Self.item(Double($0) * 4 - 40, Double($0) * 8 - 80) }
        let key = try LayoutKey(Self.configuration())
        let (old, new) = (LayoutSnapshot(key, items: items), LayoutSnapshot(key, items: items.dropFirst()))
        let everything = PixelRect(x: 0, y: 0, width: 10_000, height: 10_000)
        let gone = ItemMapping([.delete(0..<1)], itemCount: 20)
        let updates = LayoutUpdates(from: old, to: new, with: gone, in: everything)
        #expect(updates.deletions.map { $0.old?.index } == [0])
        #expect(updates.moves.isEmpty && updates.insertions.isEmpty && updates.reloads.isEmpty)
        let come = ItemMapping([.insert(PackedMetrics(items.prefix(1)), at: 0)], itemCount: 19)
        let back = LayoutUpdates(from: new, to: old, with: come, in: everything)
        #expect(back.insertions.map { $0.new?.index } == [0] && back.moves.isEmpty)
    }

    @Test(arguments: [0, 1, 2, 5, 9, 12, 15, 18, 19, 20], [0.5, 1, 1.5, 2, 2.625, 3, 8])
    func `an item is centred at its position on the world, by the textbook's formula`(zoom: Int, scale: Double) throws {
        var random = SplitMix64(seed: UInt64(zoom))
        let places = (0..<300).map { _ in SampleMetrics.anyPlace(using: &random) }
        let items = try places.map { try Self.item($0.latitude, $0.longitude) }
        let key = try LayoutKey(Self.configuration(zoom: zoom, scale: scale, item: Size(width: 20, height: 12)))
        let snapshot = LayoutSnapshot(key, items: items)
        let world = try #require(key.worldFrame)
        let side = (256 * pow(2, Double(zoom)) * scale).rounded()
        #expect(world.width == Int64(side) && world.height == Int64(side))
        for (index, place) in places.enumerated() {
            let center = try #require(snapshot.attributes(forItemAt: index)).center
            let angle = min(max(place.latitude, -85.05112878), 85.05112878) * Double.pi / 180
            let x = Double(world.x) + (place.longitude + 180) / 360 * side
            let y = Double(world.y) + (1 - asinh(tan(angle)) / Double.pi) / 2 * side
            // The pixel that contains the position, and half a pixel if a side is odd.
            guard abs(center.x - x) <= 1.6, abs(center.y - y) <= 1.6 else {
                Issue.record("\(place) stands at \(center), not at \(x), \(y)")
                return
            }
        }
    }

    @Test(arguments: LayoutDirection.allCases, [0.5, 1, 1.5, 3])
    func `poles and seam lie inside the content, which is the world plus an item on each side`(
        direction: LayoutDirection, scale: Double
    ) throws {
        let corners = [(90.0, -180.0), (90, 180), (-90, -180), (-90, 180), (0, 0)]
        let items = try corners.map { try Self.item($0.0, $0.1) }
        for zoom in 0...20 {
            let key = try LayoutKey(Self.configuration(zoom: zoom, scale: scale, direction))
            let snapshot = LayoutSnapshot(key, items: items)
            let (size, world) = (snapshot.directory.contentSize, try #require(key.worldFrame))
            let item = PixelExtent(width: Int64(20 * scale), height: Int64(10 * scale))
            #expect(size.width == max(Int64(300 * scale), world.width + item.width))
            #expect(size.height == world.height + item.height)
            let content = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
            #expect(snapshot.frames.allSatisfy { $0.lies(within: content) })
            #expect(snapshot.frames[0].y == 0 && snapshot.frames[2].maxY == size.height - 1)
            // East is right, regardless of the direction of reading.
            #expect(snapshot.frames[0].x < snapshot.frames[4].x && snapshot.frames[4].x < snapshot.frames[1].x)
            #expect(snapshot.frames[1].x - snapshot.frames[0].x == world.width - 1)
        }
    }

    @Test func `a position is rounded down twice, as in the example of the page`() throws {
        // Documentation/Layouts/Map.md, "To the pixel".
        let key = try LayoutKey(Self.configuration(zoom: 20, scale: 1.5))
        let (item, world) = (try Self.item(0, -120), try #require(key.worldFrame))
        #expect(item.position?.x == 715_827_882)
        #expect(world.width == 402_653_184)
        // A sixth of the world is a whole number of pixels, which the position just misses.
        let frame = LayoutSnapshot(key, items: [item]).frames[0]
        #expect(frame.width == 30 && frame.x + 15 - world.x == 67_108_864 - 1)
    }

    @Test func `right-to-left mirrors the alignment and the lines, but not the world`() throws {
        var random = SplitMix64(seed: 7)
        let items = SampleMetrics.mixed(200, using: &random)
        for (zoom, width) in [(0, 600.0), (2, 300)] {
            let left = LayoutSnapshot(try LayoutKey(Self.configuration(zoom: zoom, width: width)), items: items)
            let right = LayoutSnapshot(
                try LayoutKey(Self.configuration(zoom: zoom, width: width, .rightToLeft)), items: items)
            let (one, other) = try (
                #require(left.directory.engine.key.worldFrame), #require(right.directory.engine.key.worldFrame)
            )
            let content = left.directory.contentSize
            #expect(right.directory.contentSize == content)
            #expect(other.x == content.width - one.maxX && other.y == one.y)
            for (index, item) in items.enumerated() {
                let (found, mirrored) = (left.frames[index], right.frames[index])
                #expect(found.y == mirrored.y)
                let expected = item.position == nil ? content.width - found.maxX : found.x - one.x + other.x
                #expect(mirrored.x == expected)
            }
        }
    }

    @Test func `of a thousand photos at one position, each is found and the last lies on top`() throws {
        let items = try (0..<1_000).map { try $0 % 10 == 3 ? Self.unplaced : Self.item(48.2, 16.37) }
        var configuration = Self.configuration(zoom: 4, header: 30)
        configuration.badgeSize = Size(width: 5, height: 5)
        configuration.sections.headersPinToVisibleBounds = true
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
        let frame = try #require(snapshot.attributes(forItemAt: 0)?.frame)
        let placed = items.indices.filter { $0 % 10 != 3 }
        let found = snapshot.attributes(in: frame).attributes.filter { $0.elementKind == .item }
        #expect(found.map(\.index) == placed && found.map(\.zIndex) == placed)
        #expect(found.map(\.indexPath.item) == Array(placed.indices) && found.allSatisfy { $0.indexPath.section == 0 })
        let point = PixelPoint(x: frame.x, y: frame.y)
        #expect(snapshot.indexPath(at: point) == IndexPath(section: 0, item: 899))
        #expect(try snapshot.index(of: #require(snapshot.indexPath(at: point))) == 999)
        let all = snapshot.attributes(in: frame).attributes
        let badges = all.filter { $0.elementKind == .badge }
        #expect(badges.map(\.zIndex) == placed)
        // A pinned header lies above the photo that lies on top.
        let header = try #require(all.first { $0.elementKind == .sectionHeader })
        #expect(header.frame.y == frame.y && header.zIndex > 999)
        #expect(snapshot.attributes(forItemAt: 3)?.zIndex == 0)
    }

    @Test func `the located or the unlocated section may be empty`() throws {
        let key = try LayoutKey(Self.configuration(header: 25))
        let placed = try (0..<30).map { try Self.item(Double($0), 9) }
        for items in [[], Array(repeating: Self.unplaced, count: 30), placed] {
            let snapshot = LayoutSnapshot(key, items: items)
            let located = items.count { $0.position != nil }
            let sections = snapshot.directory.sections
            #expect(sections.map(\.items.count) == [located, items.count - located])
            #expect(sections.map { $0.mark.id(.none) } == ["located", "unlocated"])
            #expect(sections.map(\.origin) == [0, 25 + 512 + 10] && sections[0].end == 547)
            // Twelve columns of 20 and 4 between fit into 300.
            let lines = Int64((items.count - located + 11) / 12)
            #expect(sections[1].end == 547 + 25 + (lines == 0 ? 0 : lines * 16 - 6))
            let all = snapshot.attributes(in: PixelRect(x: 0, y: 0, width: 600, height: 2_000)).attributes
            #expect(all.map(\.elementKind).count { $0 == .sectionHeader } == 2)
            #expect(all.count == 2 + items.count)
        }
    }

    @Test func `a rectangle requests only the chunks whose boxes it meets`() throws {
        // Sorted from west to east, so that a chunk is a strip of the world.
        let items = try (0..<40_000).map { try Self.item(Double($0 % 160 - 80), Double($0) * 0.009 - 180) }
        let snapshot = LayoutSnapshot(try LayoutKey(Self.configuration(zoom: 6)), items: items)
        var random = SplitMix64(seed: 1)
        for _ in 0..<50 {
            let rect = PixelRect(
                x: Int64(random.int(in: 0...16_000)), y: Int64(random.int(in: 0...16_000)), width: 300, height: 300)
            let source = CountingSource(snapshot)
            let found = source.attributes(in: rect).attributes
            let expected = items.indices.filter { snapshot.frame(forItemAt: $0)?.intersects(rect) == true }
            #expect(found.map(\.index) == expected)
            #expect(source.log.positions.count <= 3)
        }
    }

    @Test(arguments: [1, 7, 100, 5_000])
    func `a chain of pages equals the whole, with cursors as bytes`(limit: Int) throws {
        var random = SplitMix64(seed: UInt64(limit))
        let items = SampleMetrics.mixed(limit == 1 ? 80 : 5_000, using: &random)
        for direction in LayoutDirection.allCases {
            let snapshot = LayoutSnapshot(try LayoutKey(Self.configuration(header: 9, direction)), items: items)
            let engine = snapshot.directory.engine
            var cursor = engine.firstCursor(contentExtent: snapshot.directory.contentExtent)
            var found: [LayoutAttributes] = []
            while found.count < items.count {
                let rest = PackedMetrics(items[found.count...])
                let page = try #require(engine.page(after: cursor, rest, isEnd: true, limit: limit))
                #expect(page.items.count == min(limit, rest.count))
                found += page.items
                cursor = try engine.cursor(decoding: page.next.encoded)
                #expect(cursor == page.next)
            }
            #expect(difference(found, items.indices.compactMap { snapshot.attributes(forItemAt: $0) }) == nil)
        }
    }

    @Test func `a cursor that counts too many photos without a position is refused`() throws {
        let engine = LayoutEngine(try LayoutKey(Self.configuration()))
        let page = engine.page(
            after: engine.firstCursor(contentExtent: 600), PackedMetrics([Self.unplaced, Self.unplaced]), isEnd: true,
            limit: 2)
        var bytes = try #require(page).next.encoded
        #expect(bytes.last == 2)
        _ = try engine.cursor(decoding: bytes)
        bytes[bytes.count - 1] = 3
        #expect(throws: LayoutError.invalidState) { try engine.cursor(decoding: bytes) }
    }

    @Test func `photos before a position in the stream are counted by section`() throws {
        var random = SplitMix64(seed: 8)
        let items = SampleMetrics.mixed(5_000, using: &random)
        let snapshot = LayoutSnapshot(try LayoutKey(Self.configuration()), items: items)
        for index in [0, 1, 63, 64, 65, 2_047, 2_048, 2_049, 4_096, 4_999, 5_000, 9_000] {
            let located = items.prefix(index).count { $0.position != nil }
            #expect(snapshot.itemCount(before: index, inMapSection: 0) == located)
            #expect(snapshot.itemCount(before: index, inMapSection: 1) == min(index, 5_000) - located)
        }
    }

    @Test func `options that a map does not support are errors that name them`() throws {
        var configuration = Self.configuration()
        configuration.scrollDirection = .horizontal
        #expect(throws: LayoutError.unsupported(option: "horizontal scrolling", by: "map")) {
            try LayoutKey(configuration)
        }
        configuration = Self.configuration()
        configuration.sections.sectioning = .month
        #expect(throws: LayoutError.unsupported(option: "sectioning by dates", by: "map")) {
            try LayoutKey(configuration)
        }
        #expect(
            LayoutError.unsupported(option: "sectioning by dates", by: "map").description
                == "a map layout has no sectioning by dates")
        for zoom in [-1, 21, .max, .min] {
            #expect(throws: LayoutError.outOfRange(option: "zoom", value: Double(zoom), allowed: 0...20)) {
                try LayoutKey(Self.configuration(zoom: zoom))
            }
        }
        #expect(throws: LayoutError.outOfRange(option: "item height", value: 0.5, allowed: 1...10_000)) {
            try LayoutKey(Self.configuration(item: Size(width: 1, height: 0.5)))
        }
    }

    @Test func `a map's key has one text, which ignores captions`() throws {
        var configuration = Self.configuration(zoom: 7, scale: 2)
        let key = try LayoutKey(configuration)
        #expect(
            key.description
                == "map-4,length=600,scale=2,inset=0:0:0:0,interitem=8,line=12,caption=0,zoom=7,item=40:20")
        #expect(try LayoutKey(parsing: key.description) == key)
        configuration.captionExtent = 30
        #expect(try LayoutKey(configuration) == key)
        for (text, other) in [
            ("zoom=7", "zoom=21"), ("zoom=7", "zoom=07"), ("zoom=7", "zoom=-1"), ("item=40:20", "item=40"),
            ("item=40:20", "item=0:20"), ("item=40:20", "item=40:20001"), ("caption=0", "caption=4"),
            ("zoom=7,", ""), ("map-4", "maps-4"),
        ] {
            let changed = key.description.replacingOccurrences(of: text, with: other)
            #expect(throws: LayoutError.invalidKey(changed)) { try LayoutKey(parsing: changed) }
        }
        let sideways = key.description.replacingOccurrences(of: "caption=0", with: "caption=0,scroll=horizontal")
        #expect(throws: LayoutError.unsupported(option: "horizontal scrolling", by: "map")) {
            try LayoutKey(parsing: sideways)
        }
        #expect(try LayoutKey(.masonry(2, width: 30)).worldFrame == nil)
    }
}

extension PixelRect {
    /// Whether no part of it lies outside another.
    fileprivate func lies(within other: PixelRect) -> Bool {
        x >= other.x && y >= other.y && maxX <= other.maxX && maxY <= other.maxY
    }
}
