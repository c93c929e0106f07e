import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// A person's edits and moves are taken back.
@Suite struct ResetTests {
    private static func id(_ text: String) -> PhotoID { PhotoID(stored: text) }

    private static func record(_ id: String, caption: String? = nil, day: Int? = nil) throws -> PhotoRecord {
        var record = PhotoRecord(id: PhotoID(stored: id))
        record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 4, height: 3)))
        if let caption { record.caption = .set(caption) }
        if let day {
            record.takenAt = .set(
                try CaptureTime(milliseconds: Int64(day) * 86_400_000, utcOffsetMinutes: nil, precision: .day))
        }
        return record
    }

    private func changes(of service: PhotoStreamService, since: Revision) throws -> [PhotoChange] {
        guard case .changes(let answer) = try service.read({ try $0.changes(of: Gallery.stream, since: since) }) else {
            return []
        }
        return answer.changes
    }

    private func revision(_ gallery: Gallery) throws -> Revision {
        try gallery.service.read { try $0.stream(Gallery.stream).revision }
    }

    @Test func `a reset keeps the values, and imports apply to these fields only`() throws {
        let gallery = try Gallery()
        try gallery.load([try Self.record("a", caption: "Imported", day: 1)])
        var edit = PhotoRecord(id: Self.id("a"))
        (edit.caption, edit.alt, edit.tags) = (.set("Mine"), .set("My alt"), .set(["mine"]))
        try gallery.service.edit(edit, in: Gallery.stream)
        var source = try Self.record("a", caption: "Newer", day: 1)
        (source.alt, source.tags) = (.set("Alt"), .set(["theirs"]))
        try gallery.load([source])
        func photo() throws -> Photo { try gallery.service.read { try $0.photo(Self.id("a"), of: Gallery.stream) } }
        #expect(try photo().caption == "Mine" && photo().captionSource == .person)
        let before = try revision(gallery)
        #expect(
            try gallery.service.resetEdits(
                of: [Self.id("a")], fields: [.text(.caption), .text(.alt)], in: Gallery.stream) == 1)
        #expect(try photo().caption == "Mine" && photo().captionSource == .imported)
        #expect(try photo().alt == "My alt" && photo().editedFields == [.list(.tags)])
        #expect(try changes(of: gallery.service, since: before).map(\.kind) == [.updated])
        // Again it changes nothing.
        let after = try revision(gallery)
        #expect(try gallery.service.resetEdits(of: [Self.id("a")], fields: [.text(.caption)], in: Gallery.stream) == 0)
        #expect(try revision(gallery) == after)
        try gallery.load([source])
        #expect(try photo().caption == "Newer" && photo().alt == "Alt" && photo().tags == ["mine"])
        #expect(try gallery.service.resetEdits(of: [Self.id("a")], in: Gallery.stream) == 1)
        try gallery.load([source])
        #expect(try photo().tags == ["theirs"] && photo().editedFields.isEmpty)
    }

    @Test func `a reset of several photos changes all of them or none`() throws {
        let gallery = try Gallery()
        try gallery.load([try Self.record("a", day: 1), try Self.record("b", day: 2), try Self.record("c", day: 3)])
        for id in ["a", "b"] {
            var edit = PhotoRecord(id: Self.id(id))
            edit.caption = .set("Mine")
            try gallery.service.edit(edit, in: Gallery.stream)
        }
        try gallery.service.movePhoto(Self.id("a"), to: .before(Self.id("c")), in: Gallery.stream)
        let before = try revision(gallery)
        let unknown = StreamServiceError.unknownPhoto("none", stream: "gallery")
        #expect(throws: unknown) {
            try gallery.service.resetEdits(of: [Self.id("a"), Self.id("none")], in: Gallery.stream)
        }
        #expect(throws: unknown) {
            try gallery.service.resetMoves(of: [Self.id("a"), Self.id("none")], in: Gallery.stream)
        }
        #expect(throws: StreamServiceError.unknownStream("other")) {
            try gallery.service.resetMoves(of: [], in: StreamName(stored: "other"))
        }
        #expect(try revision(gallery) == before)
        let ids = ["a", "b", "c"].map(Self.id)
        #expect(try gallery.service.resetEdits(of: ids, in: Gallery.stream) == 2)
        #expect(try gallery.service.resetMoves(of: ids, in: Gallery.stream) == 1)
    }

    @Test(arguments: [StreamOrder.newest, .oldest])
    func `resetting a move returns to the position of the capture time`(order: StreamOrder) throws {
        let gallery = try Gallery(order: order)
        try gallery.load(try (0..<9).map { try Self.record("p\($0)", day: $0 / 3) } + [try Self.record("none")])
        let original = try gallery.photos().map(\.id.rawValue)
        let moves = [("p0", "p8"), ("none", "p4"), ("p5", "p3"), ("p1", "p0")]
        for (id, other) in moves {
            try gallery.service.movePhoto(Self.id(id), to: .after(Self.id(other)), in: Gallery.stream)
        }
        #expect(try gallery.photos().map(\.id.rawValue) != original)
        let before = try revision(gallery)
        let ids = moves.map { Self.id($0.0) }
        #expect(try gallery.service.resetMoves(of: ids, in: Gallery.stream) == 4)
        #expect(try gallery.photos().map(\.id.rawValue) == original)
        let told = try changes(of: gallery.service, since: before)
        #expect(Set(told.map(\.id)) == Set(ids) && told.allSatisfy { $0.kind == .moved })
        let after = try revision(gallery)
        #expect(try gallery.service.resetMoves(of: ids, in: Gallery.stream) == 0)
        #expect(try revision(gallery) == after)
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `in manual order, a move cannot be reset`() throws {
        let gallery = try Gallery(order: .manual)
        try gallery.load([try Self.record("a"), try Self.record("b")])
        try gallery.service.movePhoto(Self.id("b"), to: .before(Self.id("a")), in: Gallery.stream)
        let error = #expect(throws: StreamServiceError.manualOrder("gallery")) {
            try gallery.service.resetMoves(of: [Self.id("b")], in: Gallery.stream)
        }
        #expect(
            error?.description
                == "stream \"gallery\" is in manual order, where moves alone give photos their places; move the photo instead"
        )
        #expect(try gallery.photos().map(\.id.rawValue) == ["b", "a"])
    }
}
