import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Several questions about one state, and layouts whose questions are answered at once.
@Suite struct SessionTests {
    private let gallery: Gallery
    private let stream = Gallery.stream
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 91)
        gallery = try Gallery()
        try gallery.insert(6_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
    }

    @Test func `all queries of a session see one state, whatever is written in between`() throws {
        var random = SplitMix64(seed: 92)
        let other = try gallery.anotherService()
        let (before, ids) = try gallery.service.read { session in
            (try session.state(of: stream), try session.photos(of: stream, limit: 10).photos.map(\.id))
        }
        var wasWritten = false
        let found = try gallery.service.read { session in
            let state = try session.state(of: stream)
            let layout = try session.layout(key, of: stream).summary()
            if !wasWritten {
                wasWritten = true
                try other.deletePhotos([ids[0]], from: stream)
                try gallery.insert(50, using: &random)
            }
            return (
                state, layout, try session.layout(key, of: stream).page(), try session.photo(ids[0], of: stream),
                try session.stream(stream), try session.stats(of: stream)
            )
        }
        let (state, layout, page, photo, summary, stats) = found
        #expect(state == before)
        #expect([layout.context.state, page.context.state] == [before, before])
        #expect([layout.count, summary.count, stats.fileCount] == [6_000, 6_000, 6_000])
        #expect(photo.id == ids[0])
        let (after, count) = try gallery.service.read { session in
            (try session.state(of: stream), try session.layout(key, of: stream).summary().count)
        }
        #expect(after.revision > before.revision)
        #expect(count == 6_049)
    }

    @Test func `a layout in memory is ready, and so is a page that needs none`() throws {
        let service = gallery.service
        func isReady() throws -> Bool { try service.read { try $0.layout(key, of: stream).isReady() } }
        func isReady(for start: PageStart) throws -> Bool {
            try service.read { try $0.layout(key, of: stream).isReady(for: start) }
        }
        #expect(try !isReady())
        #expect(try isReady(for: .first))
        let page = try service.read { try $0.layout(key, of: stream).page() }
        let next = PageStart.after(try #require(page.nextCursor))
        #expect(try isReady(for: next))
        #expect(service.work.resolvedLayoutCount == 0)
        let whole = RectStart.first(in: Rect(x: 0, y: 0, width: 1_203, height: 900))
        #expect(try !service.read { try $0.layout(key, of: stream).isReady(for: whole) })
        _ = try service.read { try $0.layout(key, of: stream).summary() }
        #expect(try isReady())
        #expect(try service.read { try $0.layout(key, of: stream).isReady(for: whole) })
        // Where the page is now is known after another fold only.
        try service.deletePhotos([page.items[0].id], from: stream)
        #expect(try !isReady())
        #expect(try !isReady(for: next))
        #expect(try isReady(for: .first))
    }

    @Test func `a layout that another thread folds is not ready, and one of few photos always is`() async throws {
        let (service, stream, key) = (gallery.service, stream, key)
        let held = HeldWork(service, stream, key)
        #expect(try !service.read { try $0.layout(key, of: stream).isReady() })
        #expect(service.work.awaitedFoldCount == 0)
        held.release()
        _ = try await held.task.value
        #expect(try service.read { try $0.layout(key, of: stream).isReady() })
        var random = SplitMix64(seed: 3)
        let small = try Gallery()
        try small.insert(1_024, using: &random)
        #expect(try small.service.read { try $0.layout(key, of: stream).isReady() })
        try small.insert(1, using: &random)
        #expect(try !small.service.read { try $0.layout(key, of: stream).isReady() })
    }

    @Test func `an error of a query leaves the service usable`() throws {
        let unknown = StreamName(stored: "unknown")
        #expect(throws: StreamServiceError.unknownStream("unknown")) {
            try gallery.service.read { try $0.state(of: unknown) }
        }
        #expect(try gallery.service.read { try $0.state(of: stream) }.revision.rawValue > 0)
    }
}
