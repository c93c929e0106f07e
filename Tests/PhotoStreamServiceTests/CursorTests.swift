import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

@Suite struct CursorTests {
    private let gallery: Gallery
    private let key: LayoutKey
    private let cursor: String

    init() throws {
        var random = SplitMix64(seed: 3)
        gallery = try Gallery()
        try gallery.insert(500, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let page = try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 10) }
        self.key = key
        cursor = try #require(page.nextCursor)
    }

    @Test func `an altered cursor is refused`() throws {
        let characters = Array(cursor)
        for position in characters.indices {
            var changed = characters
            changed[position] = changed[position] == "A" ? "B" : "A"
            #expect(refusal(String(changed)) == Self.altered)
        }
    }

    @Test(arguments: ["", "A", "====", "not base64 at all!", String(repeating: "A", count: 5_000)])
    func `a text that is not a cursor is refused`(text: String) {
        #expect(refusal(text) == Self.altered)
    }

    @Test func `shortened, lengthened and padded texts are refused`() {
        for text in [String(cursor.dropLast()), String(cursor.dropFirst()), cursor + "A", cursor + "=", " " + cursor] {
            #expect(refusal(text) == Self.altered)
        }
    }

    @Test func `a cursor of another file is refused`() throws {
        var random = SplitMix64(seed: 3)
        let other = try Gallery()
        try other.insert(500, using: &random)
        let foreign = try #require(
            try other.service.read { try $0.layout(key, of: Gallery.stream).page(limit: 10) }.nextCursor)
        #expect(refusal(foreign) == Self.altered)
    }

    @Test func `a cursor of another stream is refused`() throws {
        let name = try StreamName("other")
        try gallery.service.createStream(name)
        #expect(throws: StreamServiceError.invalidCursor("it belongs to another stream")) {
            try gallery.service.read { try $0.layout(of: name, after: cursor).page(.after(cursor)) }
        }
    }

    @Test func `contradicting options are refused, repeated ones are accepted`() throws {
        let other = try LayoutKey(SampleLayouts.configurations[1])
        #expect(
            throws: StreamServiceError.invalidCursor("the layout options are not those that it was made with")
        ) { try gallery.service.read { try $0.layout(other, of: Gallery.stream).page(.after(cursor)) } }
        #expect(
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(.after(cursor)) }.items.count
                == 100)
    }

    @Test func `a page's cursor is refused by rectangles, and vice versa`() throws {
        #expect(throws: StreamServiceError.invalidCursor("it goes on with a page, not with a rectangle")) {
            try gallery.service.read { try $0.layout(of: Gallery.stream, after: cursor).rect(.after(cursor)) }
        }
        let everything = Rect(x: 0, y: 0, width: 1e5, height: 1e9)
        let rect = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).rect(.first(in: everything), limit: 10)
        }
        #expect(rect.isTruncated)
        #expect(refusal(try #require(rect.nextCursor)) == "it goes on with a rectangle, not with a page")
    }

    @Test func `another process accepts the cursor`() throws {
        let page = try gallery.anotherService().read {
            try $0.layout(of: Gallery.stream, after: cursor).page(.after(cursor), limit: 10)
        }
        #expect(page.items.first?.attributes.index == 10)
    }

    @Test func `a cursor of 128 columns of any height has at most 2 KB`() throws {
        var random = SplitMix64(seed: 4)
        let wide = LayoutConfiguration(
            containerLength: 100_000, displayScale: 8, lineSpacing: 10_000, captionExtent: 10_000,
            algorithm: .masonry(MasonryParameters(columns: .count(128))))
        try gallery.insert(400, using: &random)
        let page = try gallery.service.read { try $0.layout(try LayoutKey(wide), of: Gallery.stream).page(limit: 777) }
        #expect(try #require(page.nextCursor).utf8.count <= 2_048)
    }

    @Test(arguments: [0, -1, 1_001, Int.max])
    func `a limit outside 1 to 1,000 is refused`(limit: Int) {
        #expect(throws: StreamServiceError.invalidLimit(limit, maximum: 1_000)) {
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).page(limit: limit) }
        }
        #expect(throws: StreamServiceError.invalidLimit(limit, maximum: 1_000)) {
            try gallery.service.read {
                try $0.layout(key, of: Gallery.stream).rect(
                    .first(in: Rect(x: 0, y: 0, width: 1, height: 1)), limit: limit)
            }
        }
    }

    private static let altered = "it was altered, or another file made it"

    private func refusal(_ text: String) -> String? {
        do {
            _ = try gallery.service.read { try $0.layout(of: Gallery.stream, after: text).page(.after(text)) }
            return nil
        } catch StreamServiceError.invalidCursor(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }
}
