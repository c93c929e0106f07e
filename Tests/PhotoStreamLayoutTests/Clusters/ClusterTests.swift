import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Particular clusters: at the edges of the world, at one place, of one photo or none, and the option.
@Suite struct ClusterTests {
    private static func configuration(
        zoom: Int = 2, cluster: Double = 100, scale: Double = 1, item: Double = 40
    ) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: 300, displayScale: scale,
            algorithm: .map(
                MapParameters(zoom: zoom, itemSize: Size(width: item, height: item), cluster: cluster)))
    }

    private static func everything(_ snapshot: LayoutSnapshot) -> RectElements {
        let size = snapshot.directory.contentSize
        return snapshot.attributes(in: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    }

    @Test func `counts add up at every zoom, and clusters only divide`() throws {
        var random = SplitMix64(seed: 35)
        let items = try (0..<5_000).map { _ in
            let place = SampleMetrics.anyPlace(using: &random)
            return random.oneIn(7) ? SampleClusters.item(nil) : try SampleClusters.item(place.latitude, place.longitude)
        }
        let located = items.count { $0.position != nil }
        var former = 0
        for zoom in 0...20 {
            // The side is a power of two, so that the cells of a zoom are quarters of those of the one before.
            let snapshot = LayoutSnapshot(try LayoutKey(Self.configuration(zoom: zoom, cluster: 64)), items: items)
            let clusters = Self.everything(snapshot).clusters
            #expect(clusters.reduce(0) { $0 + $1.count } == located)
            #expect(clusters.count >= former)
            former = clusters.count
        }
        #expect(former > 2_000)
    }

    @Test func `both sides of the antimeridian and the poles are in the content`() throws {
        let corners = try [(90.0, -180.0), (90, 180), (-90, -180), (-90, 180)].map {
            try SampleClusters.item($0.0, $0.1)
        }
        for zoom in 0...20 {
            for scale in [0.5, 1, 1.5, 8] {
                let snapshot = LayoutSnapshot(
                    try LayoutKey(Self.configuration(zoom: zoom, scale: scale)), items: corners)
                let size = snapshot.directory.contentSize
                let answer = Self.everything(snapshot)
                #expect(
                    answer.attributes.map(\.frame).allSatisfy {
                        $0.x >= 0 && $0.y >= 0 && $0.maxX <= size.width && $0.maxY <= size.height
                    })
                #expect(answer.clusters.reduce(0) { $0 + $1.count } == 4)
                let world = try #require(snapshot.directory.engine.key.worldFrame)
                #expect(world.x == 0 && world.y == 0 && world.width == Int64(Double(256 << zoom) * scale))
            }
        }
    }

    /// Longitudes, and the western and eastern end of the shortest range around them.
    private static let ranges: [(longitudes: [Double], west: Double, east: Double)] = [
        ([179, -179], 179, -179), ([-179, 0], -179, 0), ([10, 20, 30], 10, 30), ([-170, 170, 175], 170, -170),
        ([180, -180], 180, -180), ([5], 5, 5), ([-90, 90], -90, 90), ([-100, 20, 120], -100, 120),
    ]

    @Test(arguments: ranges) func `the bounds are the shortest range of longitudes`(
        longitudes: [Double], west: Double, east: Double
    ) throws {
        let items = try longitudes.enumerated().map { try SampleClusters.item(Double($0.offset) * 10 - 20, $0.element) }
        let bounds = try #require(PositionIndex.indexing([PackedMetrics(items)]).bounds)
        // A unit of a position is 8.4e-8 degrees long.
        #expect(abs(bounds.west - west) < 1e-7 && abs(bounds.east - east) < 1e-7)
        #expect(abs(bounds.south + 20) < 1e-7 && abs(bounds.north - Double(longitudes.count * 10 - 30)) < 1e-7)
    }

    @Test func `a hundred thousand photos at one place are one cluster at every zoom`() throws {
        let place = try SampleClusters.item(38.7223, -9.1393)
        let items = PackedMetrics((0..<100_000).map { $0 % 10 == 0 ? SampleClusters.item(nil) : place })
        for zoom in [0, 7, 20] {
            let snapshot = LayoutSnapshot(try LayoutKey(Self.configuration(zoom: zoom)), metrics: items)
            let answer = Self.everything(snapshot)
            #expect(answer.attributes.map(\.index) == [1] && answer.clusters.map(\.count) == [90_000])
            let bounds = try #require(answer.clusters[0].box.map { GeographicBounds($0) })
            #expect(bounds.west == bounds.east && bounds.south == bounds.north)
            let point = PixelPoint(x: answer.attributes[0].frame.x, y: answer.attributes[0].frame.y)
            let listed = snapshot.directory.attributes(of: .at(point), from: 50_000, limit: 3)
            #expect(listed.map(\.index) == [50_001, 50_002, 50_003])
        }
    }

    @Test func `a stream without photos or with one has no or one cluster`() throws {
        let key = try LayoutKey(Self.configuration())
        let none = LayoutSnapshot(key, items: [])
        #expect(Self.everything(none).attributes.isEmpty && none.directory.positions?.bounds == nil)
        #expect(none.indexPath(nearestTo: PixelPoint(x: 5, y: 5)) == nil && none.scrubberPlaces(3).isEmpty)
        let one = LayoutSnapshot(key, items: [try SampleClusters.item(0, 0)])
        let answer = Self.everything(one)
        // The world's middle is in the cell from 500 to 600, and the item is moved into it.
        #expect(answer.attributes.map(\.frame) == [PixelRect(x: 500, y: 500, width: 40, height: 40)])
        #expect(answer.clusters.map(\.count) == [1])
        let unlocated = LayoutSnapshot(key, items: [SampleClusters.item(nil)])
        #expect(Self.everything(unlocated).attributes.isEmpty && unlocated.directory.positions?.unlocatedCount == 1)
        #expect(unlocated.contentSize == none.contentSize)
    }

    @Test func `an item is shrunk to its cell`() throws {
        let key = try LayoutKey(Self.configuration(cluster: 64, item: 200))
        #expect(key.description.hasSuffix("zoom=2,item=64:64,cluster=64"))
        let snapshot = LayoutSnapshot(key, items: [try SampleClusters.item(10, 10)])
        #expect(Self.everything(snapshot).attributes[0].frame == PixelRect(x: 512, y: 448, width: 64, height: 64))
    }

    @Test func `a position takes at most sixteen bytes`() throws {
        var random = SplitMix64(seed: 16)
        let items = try (0..<20_000).map { _ in
            let place = SampleMetrics.anyPlace(using: &random)
            return try SampleClusters.item(place.latitude, place.longitude)
        }
        #expect(PositionIndex.indexing([PackedMetrics(items)]).byteCount <= 16 * items.count)
    }

    @Test func `a place of the index is a position, and its bounds are that position again`() throws {
        var random = SplitMix64(seed: 9)
        let edges = [
            WorldPosition(packed: 0), WorldPosition(packed: UInt64(UInt32.max)),
            WorldPosition(packed: UInt64(UInt32.max - 1) << 32), WorldPosition(packed: .max - 1 << 32),
        ].compactMap(\.self)
        let positions = edges + (0..<20_000).map { _ in WorldPosition(SampleMetrics.anyPlace(using: &random)) }
        for position in positions {
            let box = WorldBox(minX: position.x, maxX: position.x, minY: position.y, maxY: position.y)
            let bounds = GeographicBounds(box)
            let again = WorldPosition(Coordinate(uncheckedLatitude: bounds.north, longitude: bounds.west))
            guard again == position, bounds.east == bounds.west, bounds.north == bounds.south else {
                Issue.record("\(position) is \(bounds), which is \(again)")
                return
            }
        }
    }

    @Test func `without the option, keys are as before`() throws {
        var configuration = Self.configuration()
        configuration.algorithm = .map(MapParameters())
        #expect(!(try LayoutKey(configuration)).description.contains("cluster"))
    }

    @Test func `spacing has no effect, so one map has one key`() throws {
        var configuration = Self.configuration()
        let plain = try LayoutKey(configuration)
        (configuration.interitemSpacing, configuration.lineSpacing) = (9, 7)
        #expect(try LayoutKey(configuration) == plain)
        #expect(try LayoutKey(parsing: plain.description) == plain)
        let text = plain.description
        for wrong in [
            text.replacing("interitem=0", with: "interitem=9"), text.replacing("cluster=100", with: "cluster=0100"),
            text.replacing("item=40:40", with: "item=101:40"),
        ] {
            #expect(throws: LayoutError.invalidKey(wrong)) { try LayoutKey(parsing: wrong) }
        }
    }

    @Test(arguments: [63.9, 512.1, .nan, -1]) func `the side of cells has a range`(side: Double) {
        let error = #expect(throws: LayoutError.self) { try LayoutKey(Self.configuration(cluster: side)) }
        #expect(error?.description == "cluster is \(side == -1 ? "-1" : "\(side)"), but must be 64 to 512")
        if side > 0 {
            #expect(throws: LayoutError.self) {
                try LayoutKey(
                    parsing: "map-4,length=300,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,zoom=2,item=1:1,"
                        + "cluster=\(Int(side < 64 ? 63 : 513))")
            }
        }
    }

    @Test func `headers, footers and backgrounds are refused`() throws {
        let sections = [
            (SectionParameters(headerReferenceSize: 20), "section headers"),
            (SectionParameters(footerReferenceSize: 20), "section footers"),
            (SectionParameters(hasBackground: true), "section backgrounds"),
        ]
        for (section, name) in sections {
            var configuration = Self.configuration()
            configuration.sections = section
            let error = #expect(throws: LayoutError.self) { try LayoutKey(configuration) }
            #expect(error?.description == "a map layout has no \(name) with clusters")
        }
    }

    @Test func `badges are on clusters`() throws {
        var configuration = Self.configuration()
        configuration.badgeSize = Size(width: 8, height: 8)
        let place = try SampleClusters.item(10, 10)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: [place, place])
        let badges = Self.everything(snapshot).attributes.filter { $0.elementKind == .badge }
        #expect(badges.map(\.index) == [0])
        #expect(snapshot.attributes(forSupplementary: .badge, at: IndexPath(section: 0, item: 0)) == badges[0])
        #expect(snapshot.attributes(forSupplementary: .badge, at: IndexPath(section: 0, item: 1)) == nil)
    }

    @Test func `pages have the frames of the layout`() throws {
        var random = SplitMix64(seed: 77)
        let key = try LayoutKey(Self.configuration())
        let items = SampleClusters.items(100, edgesOf: key, using: &random)
        let snapshot = LayoutSnapshot(key, items: items)
        var cursor = snapshot.directory.engine.firstCursor(contentExtent: 0)
        var found: [LayoutAttributes] = []
        while found.count < items.count {
            let page = snapshot.page(after: cursor, from: found.count, limit: 7)
            found += page.items
            cursor = page.next
        }
        #expect(found == items.indices.compactMap { snapshot.attributes(forItemAt: $0) })
    }
}
