import Foundation
import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

@Suite struct SearchTests {
    private static let words = ["Zürich", "harbour", "ÉTÉ", "été", "Ⅳ", "a\"b", "place/Rome", "東京", "Strasse", "x"]

    private func record(_ number: Int, using random: inout SplitMix64) throws -> PhotoRecord {
        func text() -> String { (0..<3).map { _ in random.element(of: Self.words) }.joined(separator: " ") }
        var record = PhotoRecord(id: PhotoID(stored: "p\(number)"))
        record.size = .set(PhotoRecord.EncodedSize(SampleMetrics.mixed(1, using: &random)[0].pixelSize))
        if random.oneIn(2) { record[.title] = .set(text()) }
        if random.oneIn(2) { record[.caption] = .set(text()) }
        if random.oneIn(2) { record.tags = .set([text(), random.element(of: Self.words)]) }
        if random.oneIn(3) { record.people = .set([random.element(of: Self.words)]) }
        if random.oneIn(2) { record.coordinate = .set(SampleMetrics.anyPlace(using: &random)) }
        let milliseconds = Int64(random.int(in: 0...400)) * 86_400_000
        record.takenAt = .set(
            try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond))
        return record
    }

    /// Whether Foundation finds a text in the places that a search covers.
    private static func isFound(_ text: String, in photo: Photo) -> Bool {
        ([photo.title, photo.caption].compactMap(\.self) + photo.tags + photo.people).contains {
            $0.range(of: text, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]) != nil
        }
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `found photos are laid out as if they were the whole stream`(number: Int) throws {
        var random = SplitMix64(seed: UInt64(number))
        let gallery = try Gallery()
        try gallery.load(try (0..<300).map { try record($0, using: &random) })
        let key = try LayoutKey(SampleLayouts.configurations[number])
        for text in ["zurich", " HARBOUR", "ete", "a\"B ", "e/r", "東", "strasse zü", "nothing at all", "x"] {
            let expected = try gallery.photos().filter {
                Self.isFound(text.trimmingCharacters(in: .whitespaces), in: $0)
            }
            let found = try gallery.service.read { try $0.layout(key, of: Gallery.stream).search(for: text) }
            #expect(found.isComplete)
            let items = found.items.sorted { $0.attributes.index < $1.attributes.index }
            #expect(items.map(\.photo) == expected, "\(text)")
            // The same photos as a separate layout.
            let metrics = expected.map { $0.metrics }
            let alone = try CollectionLayout(SampleLayouts.configurations[number], items: PackedMetrics(metrics))
                .current
            let size = alone.directory.contentSize
            #expect(found.context.contentSize == size)
            let attributes = alone.attributes(in: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
            #expect(found.items.map(\.attributes) == attributes.attributes.filter { $0.elementKind == .item })
            #expect(found.elements == attributes.attributes.filter { $0.elementKind != .item })
        }
    }

    @Test func `a search is limited and reports whether it has found everything`() throws {
        var random = SplitMix64(seed: 7)
        let gallery = try Gallery()
        try gallery.load(try (0..<200).map { try record($0, using: &random) })
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let all = try gallery.service.read { try $0.layout(key, of: Gallery.stream).search(for: "x") }
        #expect(all.items.count > 20 && all.isComplete)
        let few = try gallery.service.read { try $0.layout(key, of: Gallery.stream).search(for: "x", limit: 20) }
        #expect(few.items.map(\.id) == all.items.prefix(20).map(\.id) && !few.isComplete)
        let exact = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).search(for: "x", limit: all.items.count)
        }
        #expect(exact == all)
        let scanned = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).search(for: "x", limit: 1_000, scanning: 100)
        }
        let head = Set(try gallery.photos().prefix(100).map(\.id))
        #expect(!scanned.isComplete && scanned.items.map(\.id) == all.items.map(\.id).filter(head.contains))
        let last = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).search(for: "x", limit: 1_000, scanning: 200)
        }
        #expect(last == all)
    }

    @Test func `photos with long texts end an answer early`() throws {
        let gallery = try Gallery()
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO photo (streamId, externalId, width, height, caption)
            SELECT 1, 'long ' || i, 3, 2, printf('%.*c', 60000, 'x') FROM n
            """)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let found = try gallery.service.read { try $0.layout(key, of: Gallery.stream).search(for: "xxx") }
        #expect(!found.isComplete && (1..<300).contains(found.items.count))
    }

    @Test(arguments: [("", 0), ("  \n ", 0), (String(repeating: "é", count: 201), 201)])
    func `blank and overlong texts are refused`(text: String, length: Int) throws {
        let gallery = try Gallery()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let error = StreamServiceError.invalidSearch(length: length, maximum: 200)
        #expect(throws: error) {
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).search(for: text) }
        }
        #expect(
            error.description
                == "the text that is looked for has \(length) characters besides spaces, but must have 1 to 200")
    }

    @Test func `a search ends when its task is cancelled`() async throws {
        let gallery = try Gallery()
        try gallery.shell(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO photo (streamId, externalId, width, height) SELECT 1, 'p' || i, 3, 2 FROM n
            """)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try gallery.service.read { try $0.layout(key, of: Gallery.stream).search(for: "x") }
        }
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
