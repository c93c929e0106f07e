import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService
@testable import PhotoStreamStorage

/// Albums: which photos are in them, whatever is done to albums and photos.
@Suite struct AlbumTests {
    private let gallery: Gallery
    private let service: PhotoStreamService
    private let stream = Gallery.stream
    private static let photos = (0..<12).map { PhotoID(stored: "p\($0)") }

    init() throws {
        gallery = try Gallery(chunkSize: ChunkSize(minimum: 2, target: 4, maximum: 8))
        service = gallery.service
        try gallery.load(Self.photos.map { PhotoRecord(id: $0) })
    }

    private func ids(_ condition: String, of stream: StreamName = Gallery.stream) throws -> Set<PhotoID> {
        let key = try LayoutKey(SampleLayouts.configurations[0])
        return try service.read { session in
            Set(
                try session.layout(key, of: stream, where: Condition(parsing: condition)).page(limit: 100).items.map(
                    \.photo.id))
        }
    }

    private func albums() throws -> [String] {
        try service.read { try $0.albums(of: stream) }.albums.map { "\($0.text) \($0.count)" }
    }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
    }

    private static func photo(_ number: Int) -> PhotoID { photos[number] }

    @Test(arguments: [1, 2, 3])
    func `albums have the photos of a plain model after any changes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let paths = ["Italy", "italy/2025", "Italy/2025/Rome", "Best", "Été", "ete/Mer"]
        var model: [PhotoID: [String]] = [:]
        var deleted: Set<PhotoID> = []
        func isIn(_ path: String, _ album: String) -> Bool { (fold(path) + "/").hasPrefix(fold(album) + "/") }
        func fold(_ text: String) -> String { FoldedText.folded(text) }
        for step in 0..<150 {
            let (album, other) = (random.element(of: paths), random.element(of: paths))
            let photo = random.element(of: Self.photos)
            switch random.int(in: 0...6) {
            case 0...2 where !deleted.contains(photo):
                try service.changeAlbum(album, adding: [photo], in: stream)
                if !model[photo, default: []].contains(where: { fold($0) == fold(album) }) {
                    model[photo, default: []].append(album)
                }
            case 3 where !deleted.contains(photo):
                try service.changeAlbum(album, removing: [photo], in: stream)
                model[photo]?.removeAll { isIn($0, album) }
            case 4 where !deleted.contains(photo):
                try service.deletePhotos([photo], from: stream)
                deleted.insert(photo)
            case 4:
                try service.restorePhotos([photo], in: stream)
                deleted.remove(photo)
            case 5:
                let isKnown = Self.photos.contains { id in
                    !deleted.contains(id) && (model[id] ?? []).contains { isIn($0, album) }
                }
                let isInside = fold(album) != fold(other) && isIn(other, album)
                let failed = message { try service.moveAlbum(album, to: other, in: stream) }
                #expect((failed == nil) == (isKnown && !isInside), "\(failed ?? "moved")")
                guard failed == nil else { continue }
                for id in Self.photos where !deleted.contains(id) {
                    var known: Set<String> = []
                    model[id] = model[id]?.map { path in
                        guard isIn(path, album) else { return path }
                        let rest = path.split(separator: "/").dropFirst(album.split(separator: "/").count)
                        return ([other] + rest.map(String.init)).joined(separator: "/")
                    }.filter { known.insert($0).inserted }
                }
            case 6 where step % 5 == 0:
                guard message({ try service.moveAlbum(album, to: nil, in: stream) }) == nil else { continue }
                for id in Self.photos where !deleted.contains(id) { model[id]?.removeAll { isIn($0, album) } }
            default: continue
            }
            for path in paths {
                let expected = Self.photos.filter { id in
                    !deleted.contains(id) && (model[id] ?? []).contains { isIn($0, path) }
                }
                #expect(try ids("album:\"\(path)\"") == Set(expected), "step \(step): \(path)")
            }
        }
    }

    @Test func `albums are listed as a tree, with the photos of those in them`() throws {
        try service.changeAlbum("Italy/2025", adding: [0, 1].map(Self.photo), in: stream)
        try service.changeAlbum("italy", adding: [1, 2].map(Self.photo), in: stream)
        try service.changeAlbum("Best", adding: [Self.photo(0)], in: stream)
        #expect(try albums() == ["Best 1", "Italy 3", "Italy/2025 2"])
        let answer = try service.read { try $0.albums(of: stream, where: Condition(parsing: "album:best")) }
        #expect(answer.albums.map(\.text) == ["Best", "Italy", "Italy/2025"] && answer.condition != nil)
        // In the inner album and in the outer one: taken out of the inner one, it is still in the outer one.
        try service.changeAlbum("Italy/2025", removing: [Self.photo(1)], in: stream)
        #expect(try ids("album:italy") == Set([0, 1, 2].map(Self.photo)))
        #expect(try ids("album:*").count == 3 && ids("-album:*").count == 9)
    }

    @Test func `an album outlives imports, deletions and pruning`() throws {
        try service.changeAlbum("Best", adding: [Self.photo(0)], in: stream)
        var record = PhotoRecord(id: Self.photo(0))
        record.albums = .set(["Imported"])
        record.title = .set("Title")
        try service.edit(record, in: stream, by: .importer)
        #expect(try ids("album:best title") == [Self.photo(0)] && ids("album:imported").isEmpty)
        try service.deletePhotos([Self.photo(0)], from: stream)
        #expect(try albums() == [])
        try service.restorePhotos([Self.photo(0)], in: stream)
        #expect(try albums() == ["Best 1"])
        try service.write { writer in
            let row = try #require(try writer.reader.stream(named: stream))
            try writer.prunePhotos(streamID: row.id, ids: [Self.photo(0)], now: 5)
        }
        #expect(try albums() == [])
        _ = try service.put(PhotoRecord(id: Self.photo(0)), in: stream, by: .importer)
        #expect(try ids("album:best") == [Self.photo(0)])
    }

    @Test func `hidden members of a stack follow their album`() throws {
        for (number, id) in [0, 1].map(Self.photo).enumerated() {
            var record = PhotoRecord(id: id)
            record.stack = .set(StackPlace(stored: "s", rank: number, kind: .raw))
            try service.edit(record, in: stream)
            try service.changeAlbum("Best", adding: [id], in: stream)
        }
        #expect(try albums() == ["Best 1"])
        #expect(try service.moveAlbum("best", to: "Better", in: stream) == 2)
        try service.makeCover(Self.photo(1), in: stream)
        #expect(try ids("album:better") == [Self.photo(1)])
        #expect(try service.moveAlbum("Better", to: nil, in: stream) == 2)
    }

    @Test func `a kept view of an album follows it, and keeps it`() throws {
        let view = StreamName(stored: "italy")
        try service.changeAlbum("Italy/2025", adding: [0, 1].map(Self.photo), in: stream)
        try service.createView(
            view, of: stream, where: Condition(parsing: "album:italy/2025 OR (-album:spain rating:5)"))
        #expect(try ids("", of: view) == Set([0, 1].map(Self.photo)))
        #expect(
            message { try service.moveAlbum("Italy", to: nil, in: stream) }
                == "the album \"Italy\" is in the rule of the kept view \"italy\"; change it first")
        try service.moveAlbum("Italy", to: "Europe/Italy", in: stream)
        #expect(
            try service.read { try $0.stream(view) }.rule == "album:europe/italy/2025 OR -album:spain rating:5")
        #expect(try ids("", of: view) == Set([0, 1].map(Self.photo)))
        #expect(try service.changeAlbum("Europe/Italy", removing: [Self.photo(0)], in: view) == 1)
        #expect(try ids("", of: view) == [Self.photo(1)])
        #expect(
            message { try service.changeAlbum("Best", adding: [Self.photo(0)], in: view) }
                == "stream \"italy\" has no photo \"p0\"")
        #expect(message { try service.moveAlbum("Best", to: "x", in: view) }?.contains("is a kept view") == true)
    }

    @Test func `changes of albums are exact, and reach other processes`() throws {
        try service.changeAlbum("Best", adding: [0, 1].map(Self.photo), in: stream)
        let before = try service.read { try $0.stream(stream) }.revision
        try service.changeAlbum("best", adding: [Self.photo(2)], removing: [Self.photo(0)], in: stream)
        let answer = try service.read { session in
            try session.changes(of: stream, where: Condition(parsing: "album:best"), since: before)
        }
        guard case .changes(let changes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(changes.changes.map { "\($0.kind) \($0.id)" }.sorted() == ["deleted p0", "inserted p2"])
    }

    @Test func `what cannot be done is refused, and changes nothing`() throws {
        try service.changeAlbum("Best", adding: [Self.photo(0)], in: stream)
        let before = try service.read { try $0.stream(stream) }.revision
        let many = (0...10_000).map { PhotoID(stored: "x\($0)") }
        let refused: [(message: String, () throws -> Void)] = [
            (
                "stream \"gallery\" has no photo \"none\"",
                {
                    try service.changeAlbum("Best", adding: [Self.photo(1), PhotoID(stored: "none")], in: stream)
                }
            ),
            ("0 ids are asked for, but must be 1 to 10000", { try service.changeAlbum("Best", in: stream) }),
            (
                "10001 ids are asked for, but must be 1 to 10000",
                {
                    try service.changeAlbum("Best", adding: many, in: stream)
                }
            ),
            (
                "there is no stream \"none\"",
                {
                    try service.changeAlbum("Best", adding: [Self.photo(1)], in: StreamName(stored: "none"))
                }
            ),
            (
                "no photo of stream \"gallery\" is in the album \"Beste\"",
                {
                    try service.moveAlbum("Beste", to: "x", in: stream)
                }
            ),
            (
                "the album \"Best\" cannot be moved into itself",
                { try service.moveAlbum("Best", to: "best/x", in: stream) }
            ),
            (
                "the path of the album \"x/\" has a slash without a name next to it",
                {
                    try service.moveAlbum("Best", to: "x/", in: stream)
                }
            ),
        ]
        for (expected, body) in refused { #expect(message(body) == expected) }
        #expect(try service.read { try $0.stream(stream) }.revision == before)
        // A path that becomes too long, of an album in it: photos of other batches do not change, either.
        try service.changeAlbum("Best/\(String(repeating: "b", count: 200))", adding: [Self.photo(1)], in: stream)
        let failed = message { try service.moveAlbum("Best", to: String(repeating: "c", count: 100), in: stream) }
        #expect(failed?.hasPrefix("an album has 301 bytes") == true, "\(failed ?? "")")
        #expect(try ids("album:best") == Set([0, 1].map(Self.photo)))
        let rule = (0..<12).map { "album:\"best/\(String(repeating: "x", count: 50))\($0)\"" }.joined(separator: " OR ")
        try service.createView(StreamName(stored: "long"), of: stream, where: Condition(parsing: rule))
        let long = message { try service.moveAlbum("Best", to: String(repeating: "c", count: 40), in: stream) }
        #expect(long?.hasPrefix("the rule of the kept view \"long\" would have") == true, "\(long ?? "")")
        #expect(try ids("album:best") == Set([0, 1].map(Self.photo)))
    }

    @Test func `rules about all albums in one follow it, and so does an album with any name`() throws {
        try service.changeAlbum("-", adding: [Self.photo(0)], in: stream)
        try service.changeAlbum("Italy/2025", adding: [Self.photo(1)], in: stream)
        for (name, rule) in [("dash", "album:\"-\""), ("below", "album:italy/*"), ("beginning", "album:ital*")] {
            try service.createView(StreamName(stored: name), of: stream, where: Condition(parsing: rule))
        }
        #expect(message { try service.moveAlbum("-", to: nil, in: stream) }?.contains("\"dash\"") == true)
        #expect(message { try service.moveAlbum("Italy", to: nil, in: stream) }?.contains("\"below\"") == true)
        try service.moveAlbum("-", to: "--", in: stream)
        try service.moveAlbum("Italy", to: "Spain", in: stream)
        let rules = try ["dash", "below", "beginning"].map { name in
            try service.read { try $0.stream(StreamName(stored: name)) }.rule
        }
        #expect(rules == ["album:--", "album:spain/*", "album:ital*"])
        #expect(try ids("", of: StreamName(stored: "below")) == [Self.photo(1)])
    }

    @Test func `photos that are not in an album stay as they are`() throws {
        try gallery.shell("UPDATE photo SET albums = '[\"A\",\"A\"]' WHERE externalId = 'p0'")
        try service.changeAlbum("Italy", adding: [Self.photo(1)], in: stream)
        try service.changeAlbum("spain", adding: [Self.photo(1)], in: stream)
        #expect(try service.moveAlbum("Italy", to: "Spain", in: stream) == 1)
        let photos = try service.read { try $0.photos(of: stream) }.photos
        #expect(photos.first { $0.id == Self.photo(0) }?.albums == ["A", "A"])
        #expect(photos.first { $0.id == Self.photo(0) }?.editedFields.isEmpty == true)
        // A path of another program, in which no name is that of the album, is not lost.
        try gallery.shell("UPDATE photo SET albums = '[\"Spain／2025\"]' WHERE externalId = 'p2'")
        #expect(try service.moveAlbum("Spain", to: "España", in: stream) == 1)
        #expect(try service.read { try $0.photo(Self.photo(2), of: stream) }.albums == ["Spain／2025"])
        #expect(try service.moveAlbum("España", to: "Spain", in: stream) == 1)
        // Both are one album now.
        #expect(photos.first { $0.id == Self.photo(1) }?.albums == ["Spain"])
    }
}
