import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// What is answered where others wait neither folds nor waits.
@Suite struct BriefAnswerTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 12)
        gallery = try Gallery()
        try gallery.insert(1_200, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
    }

    private func briefly<T>(_ body: (PhotoStreamService) throws -> T) throws -> T? {
        try PhotoStreamService.answerBriefly { try body(gallery.service) }
    }

    @Test func `a layout that is not at hand is not folded`() throws {
        let before = gallery.service.work
        #expect(try briefly { try $0.layout(of: Gallery.stream, key) } == nil)
        #expect(gallery.service.work.foldedChunkCount == before.foldedChunkCount)
        // Nobody waits for a fold that was not made.
        let layout = try gallery.service.layout(of: Gallery.stream, key)
        #expect(try briefly { try $0.layout(of: Gallery.stream, key) } == layout)
    }

    @Test func `what is at hand and what takes a few rows is answered as ever`() throws {
        let page = try gallery.service.page(of: Gallery.stream, key)
        #expect(try briefly { try $0.page(of: Gallery.stream, key) } == page)
        let state = try gallery.service.state(of: Gallery.stream)
        #expect(try briefly { try $0.state(of: Gallery.stream) } == state)
        _ = try gallery.service.layout(of: Gallery.stream, key)
        let id = page.items[7].photo.id
        let place = try gallery.service.locate(id, in: Gallery.stream, key)
        #expect(try briefly { try $0.locate(id, in: Gallery.stream, key) } == place)
    }

    @Test func `another process's write is seen at once`() throws {
        let first = try briefly { try $0.state(of: Gallery.stream) }
        try gallery.shell("UPDATE photo SET caption = 'new' WHERE id = 5")
        let second = try #require(try briefly { try $0.state(of: Gallery.stream) })
        let state = try gallery.service.state(of: Gallery.stream)
        #expect(second != first && second == state)
    }

    @Test func `after a change a layout is not folded again`() throws {
        _ = try gallery.service.layout(of: Gallery.stream, key)
        try gallery.shell("UPDATE photo SET width = width + 1 WHERE id = 5")
        #expect(try briefly { try $0.layout(of: Gallery.stream, key) } == nil)
    }

    @Test func `errors are those of the question`() throws {
        #expect(throws: StreamServiceError.unknownStream("nobody")) {
            _ = try briefly { try $0.state(of: StreamName(stored: "nobody")) }
        }
    }

    @Test func `a closed file has no answer`() throws {
        _ = try briefly { try $0.state(of: Gallery.stream) }
        try gallery.service.close()
        #expect(try briefly { try $0.state(of: Gallery.stream) } == nil)
    }
}
