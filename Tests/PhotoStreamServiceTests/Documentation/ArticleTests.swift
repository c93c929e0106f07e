import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import Testing

/// The code of the articles.
@Suite struct ArticleTests {
    @Test func `infinite scroll`() async throws {
        let sample = try SampleService()
        let (stream, key) = (sample.stream, sample.key)
        let service = try await sample.opened()
        // shown
        let first = try service.read { session in try session.layout(key, of: stream).firstPaint(limit: 50) }
        let content = key.displayScale.points(first.layout.context.contentSize)
        let frames = first.page.items.map { key.displayScale.points($0.attributes.frame) }
        // end
        #expect(content == Size(width: 400, height: 5_000))
        #expect(frames.count == 50 && frames[49] == Rect(x: 100, y: 1_200, width: 100, height: 100))
        // shown
        if let cursor = first.page.nextCursor {
            let next = try service.read { session in
                try session.layout(key, of: stream).page(.after(cursor), limit: 50)
            }
            print(next.items.count, next.isInPlace)
        }
        // end
        #expect(first.page.nextCursor != nil)
        let offset = 1_050.0
        // shown
        let visible = Rect(x: 0, y: offset, width: 400, height: 600)
        let prefetched = Rect(x: 0, y: offset - 600, width: 400, height: 2400)
        let answer = try service.read { session in
            try session.layout(key, of: stream).rect(.first(in: prefetched), visibleBounds: visible, limit: 1_000)
        }
        // end
        // The lines that meet 450 to 2,850.
        #expect(answer.items.map(\.attributes.index) == Array(16..<116))
        let narrowKey = try LayoutKey(
            LayoutConfiguration(containerLength: 200, algorithm: .grid(GridParameters(columns: .count(2)))))
        // shown
        let top = key.displayScale.pixels(offset)
        if let photo = answer.items.first(where: { $0.attributes.frame.maxY > top }) {
            let distance = photo.attributes.frame.y - top
            let place = try service.read { session in try session.layout(narrowKey, of: stream).locate(photo.id) }
            print("scroll to", place.item.attributes.frame.y - distance)
        }
        // end
        #expect(answer.items.first { $0.attributes.frame.maxY > top }?.id.rawValue == "photo-41")
        // shown
        try service.storeDerived()
        // end
        #expect(try service.verifyDerived().differences == [])
        try service.close()
    }

    @Test func `following edits`() async throws {
        let sample = try SampleService()
        let (stream, key) = (sample.stream, sample.key)
        let service = try await sample.opened()
        var revision = try service.read { session in try session.state(of: stream).revision }
        // shown
        let id = try PhotoID("photo-3")
        var record = PhotoRecord(id: id)
        record.caption = .set("The harbour")
        try service.edit(record, in: stream)
        try service.movePhoto(try PhotoID("photo-7"), to: .before(id), in: stream)
        try service.deletePhotos([try PhotoID("photo-1")], from: stream)
        // end
        let visible = Rect(x: 0, y: 0, width: 400, height: 200)
        // shown
        let updates = try service.read { session in
            try session.layout(key, of: stream).updates(since: revision, in: visible)
        }
        // end
        guard case .changes(let seen) = updates else { throw UnexpectedReload() }
        #expect(seen.deletions.map(\.photo?.rawValue) == ["photo-1"])
        #expect(seen.reloads.map(\.photo?.rawValue) == ["photo-3"])
        // 1 to 8 before, 2, 7, 3, 4, 5, 6, 8 and 9 afterwards.
        let moved = Set(seen.moves.compactMap(\.photo?.rawValue))
        #expect(moved == ["photo-2", "photo-7", "photo-8", "photo-9"])
        // shown
        if case .changes(let answer) = updates {
            let appearing = answer.insertions.map { ($0.photo, from: $0.element.initial, to: $0.element.new) }
            let disappearing = answer.deletions.map { ($0.photo, from: $0.element.old, to: $0.element.final) }
            print(appearing.count, disappearing.count, "scroll to", answer.contentOffset)
        }
        // end
        let before = revision
        // shown
        switch try service.read({ session in try session.changes(of: stream, since: revision) }) {
        case .changes(let answer):
            for change in answer.changes { print(change.kind, change.id, change.photo?.caption ?? "") }
            revision = answer.revision
        case .reload(let reason):
            print("read the stream again:", reason)
        }
        // end
        #expect(revision > before)
        let later = try service.read { session in try session.changes(of: stream, since: before) }
        guard case .changes(let answer) = later else { throw UnexpectedReload() }
        #expect(answer.changes.map(\.id.rawValue) == ["photo-1", "photo-7", "photo-3"])
        #expect(answer.changes.map(\.kind) == [.deleted, .moved, .updated])
        try service.close()
    }
}
