import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Archived photos: left out of what is looked at, and kept in what is exported.
@Suite struct ArchiveTests {
    private let gallery: Gallery
    private let service: PhotoStreamService
    private let stream = Gallery.stream
    private let key: LayoutKey
    private static let view = StreamName(stored: "kept")

    init() throws {
        gallery = try Gallery(chunkSize: ChunkSize(minimum: 2, target: 4, maximum: 8))
        service = gallery.service
        key = try LayoutKey(SampleLayouts.configurations[0])
        try gallery.load((0..<12).map { PhotoRecord(id: Self.photo($0)) })
    }

    private static func photo(_ number: Int) -> PhotoID { PhotoID(stored: "p\(number)") }

    private func archive(_ number: Int, _ isArchived: Bool = true) throws {
        var record = PhotoRecord(id: Self.photo(number))
        record.isArchived = .set(isArchived)
        try service.edit(record, in: stream)
    }

    /// The photos of a layout, by name.
    private func shown(_ condition: String = "", of name: StreamName = Gallery.stream) throws -> [String] {
        try service.read { session in
            try session.layout(key, of: name, where: Condition(parsing: condition)).page(limit: 100).items
                .map(\.photo.id.rawValue)
        }
    }

    @Test func `archived photos are left out unless a condition mentions them`() throws {
        let all = try shown()
        try archive(3)
        #expect(try shown() == all.filter { $0 != "p3" })
        #expect(try shown("is:archived") == ["p3"])
        #expect(try shown("has:archived") == ["p3"])
        #expect(try shown("-is:archived").count == 11 && shown("is:archived OR -is:archived") == all)
        #expect(try shown("-is:favourite").count == 11)
        let listed = try service.read { try $0.photos(of: stream).photos.map(\.id.rawValue) }
        #expect(try listed == shown())
        #expect(try service.read { try $0.stream(stream) }.count == 11)
        let facets = try service.read { try $0.facets(of: stream) }
        #expect(facets.count == 11 && facets.condition == nil)
        // Exports and counts of files have them, and so has the address of the photo.
        var exported: [Photo] = []
        try service.read { try $0.export(of: stream) { if case .photo(let photo) = $0 { exported.append(photo) } } }
        #expect(exported.count == 12 && exported.count(where: \.isArchived) == 1)
        #expect(try service.read { try $0.stats(of: stream) }.streams.map(\.count) == [12])
        #expect(try service.read { try $0.photo(Self.photo(3), of: stream) }.isArchived)
        try archive(3, false)
        #expect(try shown() == all)
    }

    @Test func `a kept view leaves archived photos out, unless its rule or the question mentions them`() throws {
        try service.createView(Self.view, of: stream, where: Condition(parsing: "-is:favourite"))
        try archive(3)
        #expect(try shown(of: Self.view).count == 11 && shown("is:archived", of: Self.view) == ["p3"])
        let summary = try service.read { try $0.stream(Self.view) }
        #expect(summary.count == 11)
        #expect(try service.read { try $0.photos(of: Self.view).photos.count } == 11)
        // Nor does an archived photo stand for the view.
        let error = try #require(throws: StreamServiceError.self) {
            try service.changeStream(Self.view, cover: .set(Self.photo(3)))
        }
        #expect(
            error.description == "photo \"p3\" is hidden in a stack or archived; choose one that the view shows")
        try service.changeStream(Self.view, cover: .set(Self.photo(4)))
        try archive(4)
        #expect(try service.read { try $0.stream(Self.view).cover } != Self.photo(4))
        try archive(4, false)
        #expect(try service.read { try $0.stream(Self.view).cover } == Self.photo(4))
        try service.changeStream(Self.view, where: Condition(parsing: "is:archived OR name:p1"))
        #expect(try shown(of: Self.view) == ["p3"])
    }

    @Test func `an import leaves an archived photo as it is, and one may archive`() throws {
        try archive(3)
        var record = PhotoRecord(id: Self.photo(3))
        record.title = .set("Title")
        record.isArchived = .set(false)
        try service.edit(record, in: stream, by: .importer)
        record = PhotoRecord(id: Self.photo(4))
        record.isArchived = .set(true)
        try service.edit(record, in: stream, by: .importer)
        #expect(try shown("is:archived").sorted() == ["p3", "p4"])
        try service.deletePhotos([Self.photo(3)], from: stream)
        try service.restorePhotos([Self.photo(3)], in: stream)
        #expect(try shown("title is:archived") == ["p3"])
    }

    @Test func `a chain of pages goes on when the first photo is archived, and when the last one no longer is`() throws
    {
        let all = try shown()
        func page(_ start: PageStart) throws -> PageAnswer {
            try service.read { try $0.layout(key, of: stream).page(start, limit: 4) }
        }
        let first = try page(.first)
        let last = try #require(Int(all[11].dropFirst()))
        try archive(last)
        let second = try page(.after(try #require(first.nextCursor)))
        try archive(last, false)
        let third = try page(.after(try #require(second.nextCursor)))
        let ids = [first, second, third].flatMap { $0.items.map(\.photo.id.rawValue) }
        #expect(ids == all && third.nextCursor == nil)
    }

    @Test(arguments: 1...3)
    func `to changes and updates, archiving is a deletion`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rect = Rect(x: 0, y: 0, width: 900, height: 900)
        func state() throws -> (revision: Revision, shown: Set<String>, size: PixelExtent) {
            let context = try service.read { try $0.layout(key, of: stream).summary().context }
            return (context.revision, Set(try shown()), context.contentSize)
        }
        var states = [try state()]
        for step in 0..<60 {
            let number = random.int(in: 0...11)
            switch random.int(in: 0...4) {
            // Towards the end, none is archived. A photo may be a deleted one.
            case 0, 1: try? archive(number, step < 45 && random.oneIn(2))
            case 2: try gallery.shell("UPDATE photo SET archived = 0 WHERE externalId = 'p\(number)'")
            case 3: try gallery.shell("UPDATE photo SET title = 'T\(step)' WHERE externalId = 'p\(number)'")
            default:
                try? service.deletePhotos([Self.photo(number)], from: stream)
                if random.oneIn(2) { _ = try? service.restorePhotos([Self.photo(number)], in: stream) }
            }
            if step % 9 == 8 { try service.storeDerived() }
            let (now, before) = (try state(), states[random.int(in: 0...states.count - 1)])
            try service.read { session in
                guard case .changes(let answer) = try session.changes(of: stream, since: before.revision) else {
                    Issue.record("the stream is to be read again")
                    return
                }
                func ids(_ kind: PhotoChange.Kind) -> Set<String> {
                    Set(answer.changes.filter { $0.kind == kind }.map(\.id.rawValue))
                }
                #expect(ids(.inserted) == now.shown.subtracting(before.shown))
                #expect(ids(.deleted) == before.shown.subtracting(now.shown))
                #expect(ids(.updated).isSubset(of: now.shown.intersection(before.shown)) && ids(.moved).isEmpty)
                guard
                    case .changes(let updates) = try session.layout(key, of: stream).updates(
                        since: before.revision, in: rect)
                else {
                    Issue.record("the layout is to be read again")
                    return
                }
                #expect(updates.oldContentSize == before.size && updates.context.contentSize == now.size)
            }
            states.append(now)
        }
        #expect(try service.verifyDerived().differences == [])
    }

    @Test func `an archived photo has no place, and its stack has none if it is the cover`() throws {
        for (number, rank) in [(5, 0), (6, 1)] {
            var record = PhotoRecord(id: Self.photo(number))
            record.stack = .set(try StackPlace(stack: "s", rank: rank, kind: .manual))
            try service.edit(record, in: stream)
        }
        try archive(3)
        try archive(5)
        let ids = [3, 5, 6, 7].map(Self.photo)
        try service.read { session in
            let layout = try session.layout(key, of: stream)
            #expect(throws: StreamServiceError.self) { _ = try layout.locate(Self.photo(3)) }
            let items = try layout.items(withIDs: ids)
            #expect(items.items.map(\.id) == [Self.photo(7)] && items.missing?.count == 3)
            #expect(try session.stack(of: Self.photo(5), in: stream).photos.count == 2)
        }
        #expect(try shown("is:archived").sorted() == ["p3", "p5"])
    }

    @Test func `lists go on after archived photos, at any limit`() throws {
        let all = try shown()
        for number in [0, 1, 2, 3, 4, 7, 11] { try archive(number) }
        let expected = all.filter { !["p0", "p1", "p2", "p3", "p4", "p7", "p11"].contains($0) }
        for limit in 1...6 {
            var listed: [PhotoID] = []
            repeat {
                let page = try service.read { try $0.photos(of: stream, after: listed.last, limit: limit) }
                listed += page.photos.map(\.id)
                guard page.isTruncated else { break }
            } while listed.count < 20
            #expect(listed.map(\.rawValue) == expected, "\(limit)")
        }
    }

    @Test func `after the last photo has left the archive, layouts are stored again`() throws {
        try archive(3)
        try archive(3, false)
        _ = try service.warm(stream, layout: key)
        #expect(try service.read { try $0.stats(of: stream) }.streams.map(\.layoutCount) == [1])
    }

    @Test func `a layout with archived photos is not stored, and is the same after a restart`() throws {
        try archive(3)
        let before = try service.read { try $0.layout(key, of: stream).summary().context }
        _ = try service.warm(stream, layout: key)
        #expect(try service.read { try $0.stats(of: stream) }.streams.map(\.layoutCount) == [0])
        try gallery.restart()
        let after = try gallery.service.read { try $0.layout(key, of: stream).summary().context }
        #expect(before.contentSize == after.contentSize)
    }
}
