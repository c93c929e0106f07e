import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Several questions about one state, and sessions that do not block.
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

    @Test func `a session that must not block does not fold, and answers layouts in memory`() throws {
        let service = gallery.service
        let whole = Rect(x: 0, y: 0, width: 1_203, height: 900)
        func ask() throws -> [Bool] {
            [
                try service.readWithoutBlocking { try $0.layout(key, of: stream).summary() } != nil,
                try service.readWithoutBlocking { try $0.layout(key, of: stream).rect(.first(in: whole)) } != nil,
                try service.readWithoutBlocking { try $0.layout(key, of: stream).item(at: 4_000) } != nil,
            ]
        }
        #expect(try ask() == [false, false, false])
        #expect(service.work.resolvedLayoutCount == 0)
        #expect(try service.readWithoutBlocking { try $0.layout(key, of: stream).page() }?.items.count == 100)
        let layout = try service.read { try $0.layout(key, of: stream).summary() }
        #expect(try ask() == [true, true, true])
        #expect(try service.readWithoutBlocking { try $0.layout(key, of: stream).summary() } == layout)
    }

    @Test func `a session that must not block does not wait for another fold`() async throws {
        let (service, stream, key) = (gallery.service, stream, key)
        let held = HeldWork(service, stream, key)
        #expect(try service.readWithoutBlocking { try $0.layout(key, of: stream).summary() } == nil)
        #expect(service.work.awaitedFoldCount == 0)
        held.release()
        _ = try await held.task.value
        #expect(try service.readWithoutBlocking { try $0.layout(key, of: stream).summary() }?.count == 6_000)
    }

    @Test func `a session that must not block reads only a little`() throws {
        let service = gallery.service
        let revision = try service.read { try $0.state(of: stream) }.revision
        #expect(try service.readWithoutBlocking { try $0.stats(of: stream) } == nil)
        let changes = try service.readWithoutBlocking { try $0.changes(of: stream, since: revision) }
        #expect(changes == nil)
        var count = 0
        let isWhole = try service.readWithoutBlocking { session in
            try session.forEachPhoto(of: stream) { _ in count += 1 }
            return true
        }
        #expect(isWhole == nil)
        #expect(count == 0)
        #expect(try service.readWithoutBlocking { try $0.state(of: stream) }?.revision == revision)
        #expect(try service.readWithoutBlocking { try $0.photos(of: stream, limit: 1_000) }?.photos.count == 1_000)
    }

    @Test func `errors of a query leave both kinds of sessions usable`() throws {
        let unknown = StreamName(stored: "unknown")
        #expect(throws: StreamServiceError.unknownStream("unknown")) {
            try gallery.service.read { try $0.state(of: unknown) }
        }
        #expect(throws: StreamServiceError.unknownStream("unknown")) {
            try gallery.service.readWithoutBlocking { try $0.state(of: unknown) }
        }
    }
}
