import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Changes in pages: the state that a client builds from them, page by page, while others write.
@Suite struct ChangePageTests {
    /// A client that has a stream's photos and follows its pages to the letter.
    private struct Follower {
        var photos: [PhotoID: Photo?]
        var revision: Revision
        /// The changes that did not fit its state.
        var misfits: [String] = []

        init(_ moment: EditedGallery.Moment) {
            photos = Dictionary(uniqueKeysWithValues: moment.photos.map { ($0.photo.id, $0.photo) })
            revision = moment.revision
        }

        /// Follows a page.
        ///
        /// - Returns: Whether it was the last.
        mutating func follow(_ answer: ChangesOrReload<ChangesAnswer>) -> Bool {
            guard case .changes(let page) = answer else {
                misfits.append("\(answer)")
                return true
            }
            if Set(page.changes.map(\.id)).count != page.changes.count { misfits.append("a photo twice") }
            for change in page.changes {
                let isThere = photos.keys.contains(change.id)
                if isThere == (change.kind == .inserted) { misfits.append("\(change.kind) \(change.id)") }
                if change.kind == .deleted {
                    photos[change.id] = nil
                } else {
                    photos.updateValue(change.photo, forKey: change.id)
                }
            }
            if !page.isComplete, page.revision <= revision { misfits.append("no progress") }
            revision = page.revision
            return page.isComplete
        }
    }

    @Test(.withoutPrimary, arguments: UInt64(0)..<8)
    func `pages lead from then to now, whatever their size and the writes between them`(seed: UInt64) throws {
        let edited = try EditedGallery([0, 3, 60, 400, 60, 60, 3, 900][Int(seed)], seed: seed)
        var random = SplitMix64(seed: seed + 50)
        for _ in 0..<25 {
            try edited.edit()
            try edited.remember()
        }
        let service = edited.gallery.service
        for _ in 0..<12 {
            var follower = Follower(random.element(of: edited.moments))
            let limit = random.element(of: [1, 2, 7, 40, 10_000])
            var writes = random.oneIn(2) ? 6 : 0
            var pageCount = 0
            while !follower.follow(
                try service.read { try $0.changes(of: Gallery.stream, since: follower.revision, limit: limit) })
            {
                pageCount += 1
                guard writes > 0 else { continue }
                writes -= 1
                try edited.edit()
                try edited.remember()
            }
            let now = try #require(edited.moments.last)
            #expect(follower.misfits == [], "seed \(seed), limit \(limit)")
            let photos = Dictionary(uniqueKeysWithValues: now.photos.map { ($0.photo.id, Photo?.some($0.photo)) })
            #expect(follower.photos == photos, "seed \(seed), limit \(limit), \(pageCount) pages")
            #expect(follower.revision == now.revision)
        }
    }

    @Test(.withoutPrimary) func `a large enough page is the whole answer`() throws {
        let edited = try EditedGallery(60, seed: 3)
        for _ in 0..<20 {
            try edited.edit()
            try edited.remember()
        }
        for moment in edited.moments {
            try edited.gallery.service.read { session in
                let whole = try session.changes(of: Gallery.stream, since: moment.revision)
                #expect(try session.changes(of: Gallery.stream, since: moment.revision, limit: 10_000) == whole)
            }
        }
    }

    @Test func `an import of more photos than an answer holds comes in pages, each within the limit`() throws {
        let gallery = try Gallery()
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12002)
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'many ' || i, 3, 2 FROM n
            """)
        var (revision, ids, sizes) = (Revision(0), Set<PhotoID>(), [Int]())
        while true {
            let answer = try gallery.service.read { try $0.changes(of: Gallery.stream, since: revision, limit: 5_000) }
            guard case .changes(let page) = answer else { throw Unexpected() }
            sizes.append(page.changes.count)
            #expect(page.changes.allSatisfy { $0.kind == .inserted && ids.insert($0.id).inserted })
            revision = page.revision
            if page.isComplete { break }
        }
        #expect(sizes == [5_000, 5_000, 2_002])
        #expect(ids.count == 12_002)
        let whole = try gallery.service.read { try $0.changes(of: Gallery.stream, since: Revision(0)) }
        guard case .reload(let reload) = whole else { throw Unexpected() }
        #expect(reload.reason == .tooMany(10_000))
    }

    @Test func `a page with too many bytes of photos is shorter, but never empty`() throws {
        let gallery = try Gallery()
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            INSERT INTO photo (streamId, externalId, width, height, caption)
            SELECT 1, 'long ' || i, 3, 2, printf('%.*c', 60000, 'x') FROM n
            """)
        var (revision, count, pageCount) = (Revision(0), 0, 0)
        while true {
            let answer = try gallery.service.read { try $0.changes(of: Gallery.stream, since: revision, limit: 10_000) }
            guard case .changes(let page) = answer else { throw Unexpected() }
            let byteCount = page.changes.reduce(0) { $0 + ($1.photo?.textByteCount ?? 0) }
            #expect(byteCount <= PhotoStreamService.maximumByteCount && !page.changes.isEmpty)
            (revision, count, pageCount) = (page.revision, count + page.changes.count, pageCount + 1)
            if page.isComplete { break }
        }
        #expect(count == 400)
        #expect((3...8).contains(pageCount))
    }

    @Test func `a photo that a later page deletes has no fields`() throws {
        var random = SplitMix64(seed: 8)
        let gallery = try Gallery()
        try gallery.insert(2, using: &random)
        let gone = try gallery.photos()[0].id
        try gallery.service.deletePhotos([gone], from: Gallery.stream)
        func page(_ revision: Int64) throws -> ChangesAnswer {
            let answer = try gallery.service.read {
                try $0.changes(of: Gallery.stream, since: $0.reader.tagged(revision), limit: 2)
            }
            guard case .changes(let page) = answer else { throw Unexpected() }
            return page
        }
        let first = try page(0)
        #expect(first.changes.map(\.kind) == [.inserted, .inserted])
        #expect(first.changes.filter { $0.photo == nil }.map(\.id) == [gone])
        #expect(first.revision.rawValue == 2 && !first.isComplete)
        let last = try page(2)
        #expect(last.changes == [PhotoChange(kind: .deleted, id: gone, isUpdated: false, photo: nil)])
        #expect(last.revision.rawValue == 3 && last.isComplete)
    }

    @Test func `pages are refused and reloaded like whole answers`() throws {
        var random = SplitMix64(seed: 9)
        let gallery = try Gallery()
        try gallery.insert(3, using: &random)
        func ask(_ revision: Int64, limit: Int = 5) throws -> ChangesOrReload<ChangesAnswer> {
            try gallery.service.read {
                try $0.changes(of: Gallery.stream, since: $0.reader.tagged(revision), limit: limit)
            }
        }
        for limit in [0, -1, 10_001] {
            #expect(throws: StreamServiceError.invalidLimit(limit, maximum: 10_000)) { try ask(0, limit: limit) }
        }
        #expect(throws: StreamServiceError.invalidRevision(-1)) { try ask(-1) }
        guard case .reload(let reload) = try ask(4) else { throw Unexpected() }
        #expect(reload.reason == .ahead)
        guard case .changes(let none) = try ask(3) else { throw Unexpected() }
        #expect(none.changes.isEmpty && none.isComplete && none.revision.rawValue == 3)
    }

    private struct Unexpected: Error {}
}
