import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Points of a file's layouts.
@Suite struct PointTests {
    private let gallery: Gallery

    init() throws {
        var random = SplitMix64(seed: 31)
        gallery = try Gallery()
        try gallery.insert(5_000, using: &random)
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `a point has the same answer as in memory, with the photos`(number: Int) throws {
        let key = try LayoutKey(SampleLayouts.configurations[number])
        let photos = try gallery.photos()
        let snapshot = LayoutSnapshot(key, items: photos.map(\.metrics))
        let size = snapshot.contentSize
        var random = SplitMix64(seed: UInt64(number))
        var hits = 0
        for _ in 0..<60 {
            let point = Point(
                x: Double(random.int(in: -20...Int(size.width) + 20)) + 0.25,
                y: Double(random.int(in: -20...Int(size.height) + 20)) + 0.5)
            let answer = try gallery.service.read { try $0.layout(key, of: Gallery.stream).at(point) }
            let pixel = try key.displayScale.pixel(holding: point)
            #expect(answer.pixel == pixel)
            #expect(answer.item?.attributes.indexPath == snapshot.indexPath(at: pixel))
            #expect(answer.item.map { photos[$0.attributes.index] } == answer.item?.photo)
            let near = try gallery.service.read { try $0.layout(key, of: Gallery.stream).at(point, orNearest: true) }
            #expect(near.item?.attributes.indexPath == snapshot.indexPath(nearestTo: pixel))
            #expect(near.item.map { photos[$0.attributes.index] } == near.item?.photo && near.item != nil)
            #expect(answer.item == nil || near == answer)
            #expect(near.insertion == answer.insertion)
            let one = PixelRect(x: pixel.x, y: pixel.y, width: 1, height: 1)
            #expect(answer.item.map { $0.attributes.frame.intersects(one) } != false)
            let insertion = answer.insertion
            #expect(insertion.indexPath == snapshot.insertionIndexPath(for: pixel))
            let path = insertion.indexPath
            let next = snapshot.index(of: path)
            let previous = snapshot.index(of: IndexPath(section: path.section, item: path.item - 1))
            #expect(insertion.index == next ?? previous.map { $0 + 1 } ?? 0)
            #expect(insertion.next == next.map { photos[$0].id })
            #expect(insertion.previous == previous.map { photos[$0].id })
            hits += answer.item == nil ? 0 : 1
        }
        #expect(hits > 5)
    }

    @Test func `a photo that is moved to the returned position is there`() throws {
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let dragged = try gallery.service.read { try $0.layout(key, of: Gallery.stream).item(at: 4_000) }.item.photo.id
        let answer = try gallery.service.read { try $0.layout(key, of: Gallery.stream).at(Point(x: 400, y: 3_000)) }
        let next = try #require(answer.insertion.next)
        try gallery.service.movePhoto(dragged, to: .before(next), in: Gallery.stream)
        let moved = try gallery.service.read { try $0.layout(key, of: Gallery.stream).locate(dragged) }
        #expect(moved.item.attributes.index == answer.insertion.index)
        let later = try gallery.service.read { try $0.layout(key, of: Gallery.stream).at(Point(x: 400, y: 3_000)) }
        #expect(later.context.revision == moved.context.revision)
        #expect(later.context.revision > answer.context.revision)
    }

    @Test func `an empty stream has no photo at any point and takes one as its first`() throws {
        let name = StreamName(stored: "empty")
        try gallery.service.createStream(name)
        for configuration in SampleLayouts.configurations {
            let answer = try gallery.service.read {
                try $0.layout(LayoutKey(configuration), of: name).at(Point(x: 30, y: 1e12))
            }
            #expect(answer.item == nil)
            // In the two sections of a map, the point lies after the last item.
            let section = configuration == SampleLayouts.map ? 1 : 0
            #expect(answer.insertion.indexPath == IndexPath(section: section, item: 0))
            #expect(answer.insertion.index == 0 && answer.insertion.next == nil && answer.insertion.previous == nil)
        }
    }

    @Test(arguments: [Point(x: .nan, y: 0), Point(x: 0, y: .infinity)])
    func `an invalid point is refused`(point: Point) throws {
        let key = try LayoutKey(SampleLayouts.configurations[0])
        #expect(throws: LayoutError.invalidRect("a point's values must be finite")) {
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).at(point) }
        }
        #expect(throws: StreamServiceError.unknownStream("unknown")) {
            try gallery.service.read { try $0.layout(key, of: StreamName(stored: "unknown")).at(Point(x: 0, y: 0)) }
        }
    }
}
