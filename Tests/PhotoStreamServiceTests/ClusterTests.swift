import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Clusters of maps of a file.
@Suite struct ClusterTests {
    private static let stream = Gallery.stream
    private static let everything = Rect(x: 0, y: 0, width: 1e9, height: 1e9)

    private static func configuration(zoom: Int, cluster: Double = 80) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: 500, displayScale: 1.5, contentInset: EdgeInsets(top: 3, left: 4, bottom: 5, right: 6),
            algorithm: .map(
                MapParameters(zoom: zoom, itemSize: Size(width: 44, height: 31), cluster: cluster)))
    }

    /// Small chunks, so that edits split and merge them.
    private func gallery(_ count: Int, seed: UInt64) throws -> Gallery {
        let gallery = try Gallery(chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32))
        var random = SplitMix64(seed: seed)
        try gallery.insert(count, using: &random)
        return gallery
    }

    /// Compares every answer of a service about clusters with a naive clustering of the stream's photos.
    private func check(
        _ service: PhotoStreamService, _ photos: [Photo], zooms: [Int],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for zoom in zooms {
            let configuration = Self.configuration(zoom: zoom)
            guard case .map(let parameters) = configuration.algorithm else { return }
            let key = try LayoutKey(configuration)
            let naive = NaiveClusters(configuration, parameters: parameters, items: photos.map(\.metrics))
            let (summary, answer) = try service.read { session in
                let layout = try session.layout(key, of: Self.stream)
                return (
                    try layout.summary(), try layout.rect(.first(in: Self.everything), limit: 1_000)
                )
            }
            let frames = naive.clusters.prefix(1_000)
            #expect(answer.frames.map(\.frame) == frames.map(\.frame), sourceLocation: sourceLocation)
            #expect(
                answer.items.map(\.id) == frames.map { photos[$0.photos[0]].id }, sourceLocation: sourceLocation)
            #expect(answer.items.map(\.cluster?.count) == frames.map(\.photos.count), sourceLocation: sourceLocation)
            #expect(answer.clusters.map(\.box) == frames.map(\.box), sourceLocation: sourceLocation)
            #expect(summary.context.contentSize == naive.contentSize, sourceLocation: sourceLocation)
            #expect(summary.positions?.unlocatedCount == naive.unlocated.count, sourceLocation: sourceLocation)
            #expect(
                summary.positions?.locatedCount == photos.count - naive.unlocated.count, sourceLocation: sourceLocation)
            #expect(
                summary.positions?.bounds
                    == naive.bounds.map {
                        GeographicBounds(westX: $0.west, eastX: $0.east, minY: $0.north, maxY: $0.south)
                    }, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: 0..<6) func `after random edits, clusters are those of a new service`(seed: UInt64) throws {
        let gallery = try gallery(300, seed: seed)
        let reader = try gallery.anotherService(.readOnly, chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32))
        var random = SplitMix64(seed: seed + 100)
        for step in 0..<12 {
            var ids = try gallery.photos().map(\.id)
            for _ in 0..<random.element(of: [1, 1, 3, 40]) {
                guard !ids.isEmpty else { break }
                let id = ids.remove(at: random.int(in: 0...ids.count - 1))
                switch random.int(in: 0...3) {
                case 0: try gallery.service.deletePhotos([id], from: Self.stream)
                case 1:
                    var record = PhotoRecord(id: id)
                    record.coordinate = .clear
                    try gallery.service.edit(record, in: Self.stream)
                default:
                    var record = PhotoRecord(id: id)
                    record.coordinate = .set(SampleMetrics.anyPlace(using: &random))
                    try gallery.service.edit(record, in: Self.stream)
                }
            }
            if random.oneIn(3) { try gallery.insert(random.int(in: 1...60), using: &random) }
            if random.oneIn(4) { try gallery.service.storeDerived() }
            let photos = try gallery.photos()
            let zooms = [random.int(in: 0...20), 3]
            try check(gallery.service, photos, zooms: zooms)
            // A service that may not write keeps its derived data in memory.
            try check(reader, photos, zooms: zooms)
            if step % 4 == 3 { try check(try gallery.anotherService(), photos, zooms: zooms) }
        }
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `a cluster lists its photos page by page, also while it changes`() throws {
        let gallery = try gallery(0, seed: 0)
        let lisbon = try Coordinate(latitude: 38.7223, longitude: -9.1393)
        let records = (0..<60).map { number in
            var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
            if number % 4 != 0 { record.coordinate = .set(lisbon) }
            return record
        }
        try gallery.load(records)
        let key = try LayoutKey(Self.configuration(zoom: 5))
        let photos = try gallery.photos()
        let (located, unlocated) = (photos.filter { $0.coordinate != nil }, photos.filter { $0.coordinate == nil })
        let face = try gallery.service.read {
            try $0.layout(key, of: Self.stream).locate(located[5].id)
        }.item
        #expect(face.attributes.isHidden && face.cluster?.count == 45)
        let frame = key.displayScale.points(face.attributes.frame)
        let middle = Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
        for (start, expected) in [(ClusterStart.at(middle), located), (.unlocated, unlocated)] {
            var (found, next) = ([PhotoID](), ClusterStart?.some(start))
            while let start = next {
                let answer = try gallery.service.read { session in
                    let cursor = if case .after(let cursor) = start { cursor } else { String?.none }
                    return try session.layout(cursor == nil ? key : nil, of: Self.stream, after: cursor)
                        .cluster(start, limit: 7)
                }
                #expect(answer.count == expected.count)
                #expect((answer.bounds == nil) == (expected.first?.coordinate == nil))
                #expect(answer.items.allSatisfy { $0.attributes.isHidden == ($0.id != located[0].id) })
                found += answer.items.map(\.id)
                next = answer.nextCursor.map(ClusterStart.after)
            }
            #expect(found == expected.map(\.id))
        }
        // The photo that ended an answer leaves the cluster: the list goes on after its place.
        let first = try gallery.service.read { try $0.layout(key, of: Self.stream).cluster(.at(middle), limit: 10) }
        var record = PhotoRecord(id: located[9].id)
        record.coordinate = .clear
        try gallery.service.edit(record, in: Self.stream)
        let rest = try gallery.service.read {
            try $0.layout(key, of: Self.stream).cluster(.after(#require(first.nextCursor)), limit: 10)
        }
        #expect(rest.items.map(\.id) == located[10..<20].map(\.id) && rest.count == 44)
        let nothing = try gallery.service.read {
            try $0.layout(key, of: Self.stream).cluster(.at(Point(x: 4, y: 4)), limit: 10)
        }
        #expect(nothing.count == 0 && nothing.items.isEmpty && nothing.bounds == nil && !nothing.isTruncated)
    }

    @Test func `single photos and pages have clusters`() throws {
        let gallery = try gallery(200, seed: 8)
        let photos = try gallery.photos()
        let key = try LayoutKey(Self.configuration(zoom: 2))
        let items = try gallery.service.read { try $0.layout(key, of: Self.stream).items(from: 0, count: 200) }.items
        let clusters = try gallery.service.read {
            try $0.layout(key, of: Self.stream).rect(.first(in: Self.everything), limit: 1_000)
        }
        #expect(items.map(\.id) == photos.map(\.id))
        #expect(items.filter { !$0.attributes.isHidden }.map(\.id) == clusters.items.map(\.id))
        #expect(items.map { $0.cluster == nil } == photos.map { $0.coordinate == nil })
        let frames = Dictionary(grouping: items.filter { $0.cluster != nil }, by: \.attributes.frame)
        #expect(frames.values.allSatisfy { same in same.allSatisfy { $0.cluster?.count == same.count } })
        let byID = try gallery.service.read {
            try $0.layout(key, of: Self.stream).items(withIDs: photos.reversed().map(\.id))
        }
        #expect(byID.items == items.reversed())
        var (page, paged) = (
            try gallery.service.read { try $0.layout(key, of: Self.stream).page(limit: 90) }, [PlacedPhoto]()
        )
        paged += page.items
        while let cursor = page.nextCursor {
            page = try gallery.service.read {
                try $0.layout(of: Self.stream, after: cursor).page(.after(cursor), limit: 90)
            }
            paged += page.items
        }
        #expect(paged == items && page.isInPlace)
        let face = try #require(clusters.items.first)
        let frame = key.displayScale.points(face.attributes.frame)
        let at = try gallery.service.read { try $0.layout(key, of: Self.stream).at(Point(x: frame.x, y: frame.y)) }
        #expect(at.item == face)
        let located = try gallery.service.read { try $0.layout(key, of: Self.stream).locate(face.id, limit: 5) }
        #expect(located.item == face)
    }

    @Test func `updates ask for reading again`() throws {
        let gallery = try gallery(30, seed: 2)
        let key = try LayoutKey(Self.configuration(zoom: 2))
        let before = try gallery.service.read { try $0.layout(key, of: Self.stream).summary() }.context.revision
        try gallery.service.deletePhotos([try gallery.photos()[3].id], from: Self.stream)
        let answer = try gallery.service.read {
            try $0.layout(key, of: Self.stream).updates(since: before, in: Rect(x: 0, y: 0, width: 500, height: 500))
        }
        guard case .reload(let reload) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reload.reason == .clusters && reload.reason.name == "clusters" && reload.revision > before)
        #expect(reload.description.contains("a map with clusters has no list of changes"))
    }

    @Test func `other layouts have no clusters`() throws {
        let gallery = try gallery(3, seed: 3)
        let layouts = [
            (LayoutConfiguration(containerLength: 300), "masonry"), (SampleLayouts.map, "map"),
        ]
        for (configuration, name) in layouts {
            let key = try LayoutKey(configuration)
            #expect(throws: StreamServiceError.noClusters(name)) {
                try gallery.service.read { try $0.layout(key, of: Self.stream).cluster(.unlocated) }
            }
            #expect(try gallery.service.read { try $0.layout(key, of: Self.stream).summary() }.positions == nil)
            let items = try gallery.service.read { try $0.layout(key, of: Self.stream).items(from: 0, count: 3) }.items
            #expect(items.allSatisfy { $0.cluster == nil })
        }
    }

    @Test func `a cursor of a cluster continues nothing else`() throws {
        let gallery = try gallery(100, seed: 4)
        let key = try LayoutKey(Self.configuration(zoom: 2))
        let (cluster, page) = try gallery.service.read { session in
            let layout = try session.layout(key, of: Self.stream)
            return (try layout.cluster(.unlocated, limit: 2), try layout.page(limit: 2))
        }
        let (one, other) = (try #require(cluster.nextCursor), try #require(page.nextCursor))
        #expect(throws: StreamServiceError.invalidCursor("it goes on with a cluster, not with a page")) {
            try gallery.service.read { try $0.layout(key, of: Self.stream).page(.after(one), limit: 2) }
        }
        #expect(throws: StreamServiceError.invalidCursor("it goes on with a page, not with a cluster")) {
            try gallery.service.read { try $0.layout(key, of: Self.stream).cluster(.after(other), limit: 2) }
        }
    }

    @Test(arguments: [
        "UPDATE chunkContent SET positions = x''", "DELETE FROM chunkContent WHERE chunkId = 1",
        "UPDATE chunk SET locatedCount = locatedCount + 1 WHERE id = 2",
        "UPDATE chunkContent SET positions = zeroblob(length(positions))",
    ])
    func `damaged positions are rebuilt`(damage: String) throws {
        let gallery = try gallery(300, seed: 5)
        try check(gallery.service, try gallery.photos(), zooms: [2])
        try gallery.service.storeDerived()
        try gallery.shell(damage)
        try check(try gallery.anotherService(), try gallery.photos(), zooms: [2])
    }
}
