import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Kept views: their definition, and what can be done with their photos.
@Suite struct KeptViewTests {
    private static let (view, other) = (StreamName(stored: "kept"), StreamName(stored: "other"))

    private let gallery: Gallery
    private let service: PhotoStreamService

    /// Ten photos: those with even numbers have the rating 5.
    init() throws {
        gallery = try Gallery()
        service = gallery.service
        try gallery.load(
            try (0..<10).map { number in
                var record = PhotoRecord(id: Self.photo(number))
                record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 4, height: 3)))
                record.rating = .set(number % 2 == 0 ? 5 : 1)
                return record
            })
        try service.createView(
            Self.view, of: Gallery.stream, where: Condition(parsing: "rating:5"), description: "Best")
    }

    private static func photo(_ number: Int) -> PhotoID { PhotoID(stored: "p\(number)") }

    private func ids(of stream: StreamName = view) throws -> [String] {
        try service.read { try $0.photos(of: stream).photos.map(\.id.rawValue).sorted() }
    }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
    }

    @Test func `a kept view is listed with its source, its rule and its description`() throws {
        let streams = try service.read { try $0.streams() }
        #expect(streams.map(\.name) == [Gallery.stream, Self.view] && streams.map(\.count) == [10, 5])
        #expect(streams.map(\.source) == [nil, Gallery.stream] && streams.map(\.rule) == [nil, "rating:5"])
        #expect(streams.map(\.description) == [nil, "Best"] && streams[0].revision == streams[1].revision)
    }

    @Test func `rule, description and name are changed, and views and sources are renamed`() throws {
        try service.changeStream(Self.view, where: Condition(parsing: "rating:1"), description: "")
        try service.renameStream(Self.view, to: Self.other)
        try service.renameStream(Gallery.stream, to: Self.view)
        let summary = try service.read { try $0.stream(Self.other) }
        #expect(summary.source == Self.view && summary.rule == "rating:1" && summary.description == nil)
        #expect(try ids(of: Self.other) == ["p1", "p3", "p5", "p7", "p9"])
        try service.changeStream(Self.other, to: Gallery.stream, description: "Rest")
        #expect(try service.read { try $0.stream(Gallery.stream).description } == "Rest")
    }

    @Test func `the cover is the first photo, or the chosen one while the view shows it`() throws {
        func cover() throws -> PhotoID? { try service.read { try $0.stream(Self.view) }.cover }
        let first = try service.read {
            try $0.layout(LayoutKey(SampleLayouts.configurations[0]), of: Self.view).page(limit: 1)
        }.items.first?.photo.id
        #expect(try first != nil && cover() == first)
        #expect(try service.read { try $0.stream(Gallery.stream) }.cover == nil)
        try service.changeStream(Self.view, cover: .set(Self.photo(4)))
        #expect(try cover() == Self.photo(4))
        // Out of the view, and back.
        var record = PhotoRecord(id: Self.photo(4))
        record.rating = .set(1)
        try service.edit(record, in: Self.view)
        #expect(try cover() != Self.photo(4) && cover() != nil)
        #expect(
            message { try service.changeStream(Self.view, cover: .set(Self.photo(4))) }
                == "stream \"kept\" has no photo \"p4\"")
        record.rating = .set(5)
        try service.edit(record, in: Gallery.stream)
        #expect(try cover() == Self.photo(4))
        try service.changeStream(Self.view, cover: .clear)
        #expect(try cover() == first)
        try gallery.shell(
            "UPDATE photo SET stack = 'S', stackKind = 0, stackRank = CASE externalId WHEN 'p2' THEN 1 ELSE 0 END WHERE externalId IN ('p0', 'p2')"
        )
        #expect(
            message { try service.changeStream(Self.view, cover: .set(Self.photo(2))) }
                == "photo \"p2\" is hidden in a stack or archived; choose one that the view shows")
        try service.changeStream(Self.view, where: Condition(parsing: "rating:2"))
        #expect(try cover() == nil)
    }

    @Test func `after another rule, changes since an earlier state are not told`() throws {
        let revision = { try service.read { try $0.stream(Self.view) }.revision }
        func reason(since: Revision) throws -> ReloadAnswer.Reason? {
            let answer = try service.read { try $0.changes(of: Self.view, since: since) }
            if case .reload(let reload) = answer { return reload.reason }
            return nil
        }
        var edit = PhotoRecord(id: Self.photo(1))
        edit.rating = .set(5)
        let first = try revision()
        #expect(try reason(since: first) == .condition)
        try service.edit(edit, in: Gallery.stream)
        let second = try revision()
        #expect(try reason(since: second) == nil)
        try service.changeStream(Self.view, description: "Another text")
        #expect(try reason(since: second) == nil)
        try service.changeStream(Self.view, where: Condition(parsing: "rating:1"))
        #expect(try reason(since: second) == .condition)
        edit.rating = .set(1)
        try service.edit(edit, in: Gallery.stream)
        #expect(try reason(since: second) == .condition)
        let third = try revision()
        edit.rating = .set(2)
        try service.edit(edit, in: Gallery.stream)
        guard case .changes(let answer) = try service.read({ try $0.changes(of: Self.view, since: third) }) else {
            throw Unexpected()
        }
        #expect(answer.changes.map(\.kind) == [.deleted])
    }

    private struct Unexpected: Error {}

    @Test func `a kept view tells nothing about the other photos of its stream`() throws {
        try gallery.shell(
            """
            UPDATE photo SET stack = 'S', stackKind = 0, stackRank = CASE externalId WHEN 'p0' THEN 0 ELSE id END
            WHERE externalId IN ('p0', 'p1', 'p2', 'p3')
            """)
        _ = try service.warm(Gallery.stream, layout: try LayoutKey(SampleLayouts.configurations[0]))
        let (stats, own) = try service.read {
            (try $0.stats(of: Self.view).streams[0], try $0.stats(of: Gallery.stream).streams[0])
        }
        #expect(own.chunks.count > 0 && own.logRowCount > 0)
        #expect(stats.chunks.count == 0 && stats.logRowCount == 0 && stats.layoutByteCount == 0)
        let summaries = try service.read { session in
            try [Self.view, Gallery.stream].map { try session.stackSummary(of: Self.photo(0), in: $0)?.count }
        }
        #expect(summaries == [2, 4])
        let item = try service.read {
            try $0.layout(LayoutKey(SampleLayouts.configurations[0]), of: Self.view).page(limit: 10).items
                .first { $0.photo.id == Self.photo(0) }
        }
        #expect(item?.stack?.count == 2)
    }

    @Test(arguments: [
        ("UPDATE stream SET rule = 'foo:bar' WHERE name = 'kept'", "cannot be read: foo:bar"),
        ("UPDATE stream SET rule = 'added:2020' WHERE name = 'kept'", "cannot be read: added:2020"),
        ("PRAGMA foreign_keys = OFF; UPDATE stream SET id = 99 WHERE name = 'gallery'", "has lost its stream"),
    ]) func `a view that another program has spoilt is an error of its own`(statement: String, reason: String) throws {
        try gallery.shell(statement)
        #expect(try service.read { try $0.streams() }.map(\.name) == [Gallery.stream, Self.view])
        let error = message { _ = try ids() }
        #expect(error?.contains(reason) == true, "\(error ?? "")")
    }

    @Test func `bad definitions are refused with a sentence`() throws {
        let rule = try Condition(parsing: "rating:5")
        func created(_ name: StreamName = Self.other, of source: StreamName = Gallery.stream, _ text: String = "a")
            -> String?
        {
            message { try service.createView(name, of: source, where: Condition(parsing: text)) }
        }
        #expect(created(Self.other, of: Self.other) == "there is no stream \"other\"")
        #expect(
            created(of: Self.view)
                == "\"kept\" is a kept view, which has no photos of its own; do this with the stream that it shows")
        #expect(created(Self.view) == "stream \"kept\" already exists")
        #expect(created(Gallery.stream) == "stream \"gallery\" already exists")
        #expect(message { try service.createStream(Self.view) } == "stream \"kept\" already exists")
        #expect(
            created(Self.other, "-stream:other")
                == "stream:other is the same for all photos of a kept view, which shows those of one stream")
        #expect(created(Self.other, "place:Rome") == "no photo has the value of \"place:rome\"")
        #expect(
            created(Self.other, " ")
                == "the rule is met by every photo; a kept view needs a condition, such as rating:>=4")
        let long = String(repeating: "x", count: 2_001)
        #expect(
            message { try service.createView(Self.other, of: Gallery.stream, where: rule, description: long) }
                == "the description has 2001 bytes, but at most 2000 are allowed")
        #expect(
            message { try service.changeStream(Self.view, description: long) }
                == "the description has 2001 bytes, but at most 2000 are allowed")
        #expect(
            message { try service.changeStream(Gallery.stream, where: rule) }
                == "\"gallery\" is a stream; only a kept view has a rule, a description and a cover")
        #expect(message { try service.changeStream(Self.view, where: .all) }?.hasPrefix("the rule is met") == true)
    }

    @Test(.withoutPrimary) func `a file has at most 1,000 kept views`() throws {
        let rows = (0..<999).map { "('v\($0)', 0, 1, 'a')" }.joined(separator: ", ")
        try gallery.shell("INSERT INTO stream (name, createdAtMilliseconds, sourceId, rule) VALUES \(rows)")
        #expect(
            message { try service.createView(Self.other, of: Gallery.stream, where: Condition(parsing: "a")) }
                == "the file has 1000 kept views, which is the maximum; delete one first")
    }

    @Test func `a stream that kept views show is not deleted`() throws {
        func deleted() -> String? { message { try service.deleteStream(Gallery.stream, evenWithPhotos: true) } }
        #expect(deleted() == "stream \"gallery\" is shown by the kept view \"kept\"; delete it first")
        try service.createView(Self.other, of: Gallery.stream, where: Condition(parsing: "a"))
        #expect(deleted() == "stream \"gallery\" is shown by the kept view \"kept\" and 1 more; delete these first")
        #expect(try ids(of: Gallery.stream).count == 10)
        for name in [Self.view, Self.other] { #expect(try service.deleteStream(name, evenWithPhotos: false) == 0) }
        #expect(try service.deleteStream(Gallery.stream, evenWithPhotos: true) == 10)
    }

    @Test func `photos are edited, deleted and restored through a kept view if they meet its rule`() throws {
        var record = PhotoRecord(id: Self.photo(0))
        record.rating = .set(4)
        try service.edit(record, in: Self.view)
        #expect(try ids() == ["p2", "p4", "p6", "p8"])
        #expect(message { try service.edit(record, in: Self.view) } == "stream \"kept\" has no photo \"p0\"")
        #expect(
            message { try service.deletePhotos([Self.photo(2), Self.photo(1)], from: Self.view) }
                == "stream \"kept\" has no photo \"p1\"")
        try service.deletePhotos([Self.photo(2)], from: Self.view)
        #expect(try service.deleteKnownPhotos([1, 4, 3].map(Self.photo), from: Self.view) == [1, 3].map(Self.photo))
        try service.deletePhotos([Self.photo(3)], from: Gallery.stream)
        let deleted = try service.read { try $0.deletedPhotos(of: Self.view).photos.map(\.photo.id) }
        #expect(deleted == [4, 2].map(Self.photo))
        #expect(
            message { _ = try service.read { try $0.deletedPhotos(of: Self.view, after: Self.photo(3)) } }
                == "photo \"p3\" of stream \"kept\" was not deleted in the last 30 days")
        #expect(message { try service.restorePhotos([Self.photo(3)], in: Self.view) }?.contains("\"p3\"") == true)
        #expect(try ids(of: Gallery.stream).contains("p3") == false)
        try service.restorePhotos([Self.photo(2)], in: Self.view)
        #expect(try ids() == ["p2", "p6", "p8"])
    }

    @Test func `what only streams can do is refused`() async throws {
        let expected = "\"kept\" is a kept view, which has no photos of its own; do this with the stream that it shows"
        let (view, id) = (Self.view, Self.photo(0))
        let record = PhotoRecord(id: id)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let refusals: [() throws -> Void] = [
            { _ = try service.put(record, in: view) },
            { try service.movePhoto(id, to: .after(Self.photo(2)), in: view) },
            { try service.resetMoves(of: [id], in: view) },
            { try service.resetEdits(of: [id], in: view) },
            { try service.makeCover(id, in: view) },
            { try service.takeApartStack(of: id, in: view) },
            { _ = try service.warm(view, layout: key) },
            { try service.addRoot("/tmp", for: view) },
        ]
        for (number, refused) in refusals.enumerated() { #expect(message(refused) == expected, "\(number)") }
        let stats = try service.read { (try $0.stats().streams, try $0.stats(of: view).streams) }
        #expect(stats.0.map(\.name) == [Gallery.stream] && stats.1.map(\.name) == [view])
        #expect(stats.0.map(\.count) == [10] && stats.1.map(\.count) == [5])
        #expect(try service.pictureStatus().streams.map(\.name) == [Gallery.stream])
    }

    @Test func `a photo hidden in a stack is shown by its own values`() throws {
        for (number, rank) in [(0, 0), (1, 1), (2, 2)] {
            var record = PhotoRecord(id: Self.photo(number))
            record.stack = .set(try StackPlace(stack: "s", rank: rank, kind: .manual))
            try service.edit(record, in: Gallery.stream)
        }
        let members = try service.read { try $0.stack(of: Self.photo(0), in: Self.view).photos.map(\.id) }
        #expect(members == [0, 2].map(Self.photo))
        #expect(message { _ = try service.read { try $0.stack(of: Self.photo(1), in: Self.view) } } != nil)
        var record = PhotoRecord(id: Self.photo(0))
        record.rating = .set(0)
        try service.edit(record, in: Gallery.stream)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        // The cover does not meet the rule, and is not named.
        #expect(
            message { _ = try service.read { try $0.layout(key, of: Self.view).locate(Self.photo(2)) } }
                == "stream \"kept\" has no photo \"p2\"")
    }
}
