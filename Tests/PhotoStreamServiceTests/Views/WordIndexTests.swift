import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// The index of words finds what the rows contain, after writes by any program.
@Suite(.withoutPrimary) struct WordIndexTests {
    private static let texts = [
        "Sunset in Zürich", "zurich bahnhof", "上海夜景 2024", "夜の東京", "ภูเขาทอง", "Новый год", "σοφός ΣΟΦΟΣ", "한국 여행",
        "IMG_1234", "old boat", "the boat is old", "“quoted” OR AND NOT NEAR(a)", "title: * ^ {x}", "", "♥",
    ]
    private static let searches = [
        "zurich", "zür*", "\"old boat\"", "old boat", "bo*", "上", "\"上海\"", "海夜", "京", "ภู*", "новый", "ΣΟΦΟΣ", "한국",
        "img_1234", "img*", "1234", "quoted", "near", "\"a\"\"b\"", "title", "\"sea town\"", "town", "text:boat",
        "camera:\"fuji x\"", "camera:x*", "name:img*", "folder-name", "nothing",
    ]

    // The index is not asked about a few chunks.
    private static let chunkSize = ChunkSize(minimum: 8, target: 16, maximum: 32)

    private let gallery: Gallery

    init() throws {
        gallery = try Gallery(chunkSize: Self.chunkSize)
    }

    private func record(_ number: Int, using random: inout SplitMix64) -> PhotoRecord {
        var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
        record.title = random.oneIn(2) ? .clear : .set(random.element(of: Self.texts))
        record.caption = random.oneIn(3) ? .clear : .set(random.element(of: Self.texts))
        record.tags = .set([["sea", "town"], ["town"], ["sea town"], []][random.int(in: 0...3)])
        record.camera = random.oneIn(2) ? .set("Fuji X") : .clear
        record.location = .set("2019/folder-name/IMG_\(1_230 + random.int(in: 0...9)).jpg")
        return record
    }

    private func insert(_ numbers: Range<Int>, using random: inout SplitMix64) throws {
        try gallery.load(numbers.map { record($0, using: &random) })
    }

    /// The ids of the photos that meet a condition, by the service and by reading every row.
    private func found(_ text: String, by service: PhotoStreamService) throws -> (answered: [String], read: [String]) {
        let condition = try Condition(parsing: text)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let photos = try gallery.photos()
        let today = CivilDate(daysSince1970: 0)
        let answered = try service.read { session in
            try session.layout(key, of: Gallery.stream, where: condition).items(from: 0, count: 1_000).items
                .map(\.photo.id.rawValue)
        }
        let read = photos.filter { condition.matches(ConditionSubject($0, in: Gallery.stream, today: today)) }
        return (answered, read.map(\.id.rawValue))
    }

    private func checkAll(_ service: PhotoStreamService, _ what: String) throws {
        for text in Self.searches {
            let (answered, read) = try found(text, by: service)
            #expect(answered == read, "\(text) \(what)")
        }
    }

    private func index(_ service: PhotoStreamService) throws {
        while try service.indexSomeWords() {}
    }

    @Test(arguments: UInt64(1)...3)
    func `answers equal the rows whatever part of them is indexed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try insert(0..<120, using: &random)
        try checkAll(gallery.service, "without an index")
        for step in 0..<12 {
            if random.oneIn(2) { try index(gallery.service) }
            let id = "photo-\(random.int(in: 0...119))"
            switch random.int(in: 0...4) {
            case 0: try gallery.shell("UPDATE photo SET caption = 'a new harbour' WHERE externalId = '\(id)'")
            case 1: try gallery.shell("DELETE FROM photo WHERE externalId = '\(id)'")
            case 2: try insert(0..<120, using: &random)
            case 3:
                // Another photo gets the row id of a deleted one.
                try gallery.shell(
                    """
                    CREATE TEMP TABLE old AS SELECT id FROM photo WHERE externalId = '\(id)';
                    DELETE FROM photo WHERE id IN (SELECT id FROM old);
                    UPDATE photo SET id = (SELECT id FROM old)
                    WHERE id = (SELECT max(id) FROM photo) AND EXISTS (SELECT 1 FROM old)
                    """)
            default: try insert(120 + step * 10..<130 + step * 10, using: &random)
            }
            try checkAll(gallery.service, "after step \(step)")
            let other = try gallery.anotherService(.readOnly, chunkSize: Self.chunkSize)
            defer { try? other.close() }
            try checkAll(other, "after step \(step) by a reader")
        }
        try index(gallery.service)
        #expect(try gallery.service.verifyDerived().differences == [])
    }

    @Test func `an index that is written is used`() throws {
        var random = SplitMix64(seed: 4)
        try insert(0..<100, using: &random)
        try index(gallery.service)
        let before = try found("boat", by: gallery.service).answered
        // The rows are changed without the log, so that only the index can answer.
        try gallery.shell(
            """
            DROP TRIGGER photoUpdated; UPDATE photo SET caption = NULL, title = NULL, tags = NULL, camera = NULL,
                location = NULL, people = NULL, alt = NULL
            """)
        let service = try gallery.anotherService(.readOnly, chunkSize: Self.chunkSize)
        defer { try? service.close() }
        #expect(try found("boat", by: service).answered == before)
        #expect(before.count > 5)
        #expect(try found("boat", by: service).read.isEmpty)
        #expect(service.hasSearchedWords)
    }

    @Test func `a photo that changes often is found by its present words only`() throws {
        var random = SplitMix64(seed: 5)
        try insert(0..<40, using: &random)
        try index(gallery.service)
        for step in 0..<30 {
            try gallery.shell("UPDATE photo SET caption = 'boat \(step)' WHERE externalId = 'photo-7'")
            try index(gallery.service)
        }
        #expect(try gallery.shellOutput("SELECT count(*) FROM photoWordsNewer") == "1\n")
        #expect(try found("\"boat 29\"", by: gallery.service).answered == ["photo-7"])
        #expect(try found("\"boat 28\"", by: gallery.service).answered.isEmpty)
    }

    @Test(arguments: [
        "DELETE FROM photoWordsState", "UPDATE photoWordsState SET lastPhotoId = 1000",
        "UPDATE photoWordsState SET consumedRevision = 1, consumedTag = 0", "DELETE FROM photoWords_data",
        "UPDATE photoWords_data SET block = zeroblob(length(block))", "DELETE FROM photoWords_idx",
        "UPDATE photoWords_data SET block = x''", "DELETE FROM photoWordsNewer",
    ])
    func `a damaged index is disregarded and built again`(damage: String) throws {
        var random = SplitMix64(seed: 6)
        try insert(0..<120, using: &random)
        try index(gallery.service)
        try gallery.shell("UPDATE photo SET caption = 'a new harbour' WHERE externalId = 'photo-3'")
        try index(gallery.service)
        try gallery.shell(damage)
        let service = try gallery.anotherService(chunkSize: Self.chunkSize)
        defer { try? service.close() }
        let isDetected = try service.verifyDerived().differences.contains { $0.contains("words") }
        let isWrong = try Self.searches.contains { text in
            let (answered, read) = try found(text, by: service)
            return answered != read
        }
        // Damage that changes the answers is reported by the verification, and a clear ends it.
        #expect(!isWrong || isDetected)
        try service.clearDerived()
        try index(service)
        try checkAll(service, "after a clear")
        #expect(try service.verifyDerived().differences == [])
    }

    @Test func `a log that was trimmed makes the index begin again`() throws {
        var random = SplitMix64(seed: 7)
        let gallery = try Gallery(log: ChangeLog(keptRowCount: 50, slackRowCount: 10))
        try gallery.load((0..<100).map { record($0, using: &random) })
        while try gallery.service.indexSomeWords() {}
        for part in 0..<4 { try gallery.load((part * 40..<part * 40 + 60).map { record($0, using: &random) }) }
        let condition = try Condition(parsing: "boat")
        let key = try LayoutKey(SampleLayouts.configurations[0])
        func counts() throws -> [Int] {
            let count = try gallery.service.read {
                try $0.layout(key, of: Gallery.stream, where: condition).summary().count
            }
            let today = CivilDate(daysSince1970: 0)
            let read = try gallery.photos().count {
                condition.matches(ConditionSubject($0, in: Gallery.stream, today: today))
            }
            return [count, read]
        }
        let before = try counts()
        #expect(before[0] == before[1])
        while try gallery.service.indexSomeWords() {}
        let after = try counts()
        #expect(after[0] == after[1] && before == after)
    }

    @Test func `indexing ends after another program has emptied the log`() throws {
        var random = SplitMix64(seed: 8)
        try insert(0..<60, using: &random)
        try gallery.shell("UPDATE history SET completeAfter = 10; DELETE FROM change")
        var stepCount = 0
        while stepCount < 10, try gallery.service.indexSomeWords() { stepCount += 1 }
        #expect(stepCount < 10)
        try checkAll(gallery.service, "without a log")
    }
}
