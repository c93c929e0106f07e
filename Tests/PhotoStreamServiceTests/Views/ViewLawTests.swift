import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Every answer about a view equals that about a stream that has just its photos.
@Suite(.withoutPrimary) struct ViewLawTests {
    private static let conditions = [
        "rating:>=3", "tag:sea", "-tag:sea", "camera:fuji OR rating:5", "boat", "\"old boat\"", "bo*",
        "taken:1970-01-01",
        "has:caption -boat", "is:landscape ratio:>1.2", "width:..500", "tag:sea tag:none", "rating:0..5",
        "has:position", "is:favourite -boat", "album:Italy -album:italy/2025", "", "is:archived", "boat OR is:archived",
    ]

    /// A stream, and the records from which it was made.
    private struct Model {
        let gallery: Gallery
        var records: [PhotoRecord] = []
        var nextNumber = 0

        init() throws { gallery = try Gallery(chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32)) }

        mutating func insert(_ count: Int, using random: inout SplitMix64) throws {
            var added: [PhotoRecord] = []
            for item in SampleMetrics.mixed(count, using: &random) {
                var record = PhotoRecord(id: PhotoID(stored: "photo-\(nextNumber)"))
                nextNumber += 1
                record.size = .set(PhotoRecord.EncodedSize(item.pixelSize))
                Self.describe(&record, using: &random)
                let milliseconds = Int64(random.int(in: 0...400)) * 3_600_000
                record.takenAt = .set(
                    try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond))
                added.append(record)
            }
            try gallery.load(added)
            records += added
        }

        /// Sets the fields that conditions read.
        static func describe(_ record: inout PhotoRecord, using random: inout SplitMix64) {
            record.rating = .set(random.int(in: 0...5))
            record.isFavourite = .set(random.oneIn(3))
            record.isArchived = .set(random.oneIn(6))
            record.albums = .set([["Italy"], ["Italy/2025", "Best"], []][random.int(in: 0...2)])
            record.tags = .set([["sea"], ["sea", "boat"], ["town"], []][random.int(in: 0...3)])
            let caption = ["An old boat", "The boat is old", "A harbour"][random.int(in: 0...2)]
            record.caption = random.oneIn(3) ? .clear : .set(caption)
            record.camera = random.oneIn(2) ? .set("Fuji X") : .clear
            record.coordinate = random.oneIn(2) ? .set(SampleMetrics.anyPlace(using: &random)) : .clear
        }

        /// A stream of the photos that meet a condition, in the order in which they were added.
        ///
        /// Archived ones are left out unless the condition asks for them, and are not archived in the new stream.
        func selected(by condition: Condition) throws -> Gallery {
            let other = try Gallery(chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32))
            let today = CivilDate(daysSince1970: 0)
            try other.load(
                records.filter { record in
                    let photo = Photo.applying(record, to: nil, by: .importer)
                    guard condition.includesArchived || !photo.isArchived else { return false }
                    return condition.matches(ConditionSubject(photo, in: Gallery.stream, today: today))
                }.map { record in
                    var record = record
                    record.isArchived = .clear
                    return record
                })
            return other
        }

        mutating func edit(using random: inout SplitMix64) throws {
            switch random.int(in: 0...4) {
            case 0: try insert(random.int(in: 1...5), using: &random)
            case 1 where !records.isEmpty:
                let record = records.remove(at: random.int(in: 0...records.count - 1))
                try gallery.service.deletePhotos([record.id], from: Gallery.stream)
            case 2:
                let place = random.int(in: 0...records.count - 1)
                records[place].rating = .set(random.int(in: 0...5))
                if case .set(let rating) = records[place].rating {
                    try gallery.shell(
                        "UPDATE photo SET rating = \(rating) WHERE externalId = '\(records[place].id.rawValue)'")
                }
            default:
                let place = random.int(in: 0...records.count - 1)
                Self.describe(&records[place], using: &random)
                try gallery.load([records[place]])
            }
        }
    }

    @Test(arguments: SampleLayouts.configurations.indices)
    func `answers about a view are those about a stream of its photos`(layout: Int) throws {
        var random = SplitMix64(seed: UInt64(layout) + 1)
        var model = try Model()
        try model.insert(300, using: &random)
        for text in Self.conditions {
            let condition = try Condition(parsing: text)
            try compare(model.gallery, condition, with: model.selected(by: condition), layout, using: &random)
        }
    }

    @Test(arguments: 1...3)
    func `a view follows edits by every kind of writer`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var model = try Model()
        try model.insert(150, using: &random)
        for step in 0..<60 {
            try model.edit(using: &random)
            // Attributes are stored, and then become out of date.
            if step % 3 == 2 { try model.gallery.service.storeDerived() }
            if step % 20 == 19 { try model.gallery.restart() }
            if step % 7 == 3 { while try model.gallery.service.indexSomeWords() {} }
            let condition = try Condition(parsing: Self.conditions[step % Self.conditions.count])
            let layout = step % SampleLayouts.configurations.count
            try compare(model.gallery, condition, with: model.selected(by: condition), layout, using: &random)
        }
        #expect(try model.gallery.service.verifyDerived().differences == [])
    }

    @Test func `a condition and its negation divide a stream`() throws {
        var random = SplitMix64(seed: 9)
        var model = try Model()
        try model.insert(300, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        for text in Self.conditions {
            let condition = try Condition(parsing: text)
            let counts = try model.gallery.service.read { session in
                try [condition, condition.negated].map {
                    try session.layout(key, of: Gallery.stream, where: $0).summary().count
                }
            }
            let archived = condition.includesArchived ? 0 : model.records.count { $0.isArchived == .set(true) }
            #expect(counts[0] + counts[1] == 300 - archived, "\(text)")
        }
    }

    @Test func `a view follows the name of its stream`() throws {
        var random = SplitMix64(seed: 11)
        var model = try Model()
        try model.insert(100, using: &random)
        let (key, other) = (try LayoutKey(SampleLayouts.configurations[0]), StreamName(stored: "other"))
        func counts(in stream: StreamName) throws -> [Int] {
            try ["stream:gallery", "stream:other", "-stream:other", ""].map { text in
                try model.gallery.service.read { session in
                    try session.layout(key, of: stream, where: Condition(parsing: text)).summary().count
                }
            }
        }
        let shown = model.records.count { $0.isArchived != .set(true) }
        #expect(try counts(in: Gallery.stream) == [shown, 0, shown, shown])
        try model.gallery.shell("UPDATE stream SET name = 'other'")
        #expect(try counts(in: other) == [0, shown, 0, shown])
    }

    @Test func `a cursor belongs to its condition`() throws {
        var random = SplitMix64(seed: 10)
        var model = try Model()
        try model.insert(100, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let stream = Gallery.stream
        let conditions = [nil, try Condition(parsing: "rating:..4"), try Condition(parsing: "rating:..3")]
        let cursors = try model.gallery.service.read { session in
            try conditions.map { condition in
                try #require(try session.layout(key, of: stream, where: condition).page(limit: 5).nextCursor)
            }
        }
        for (number, condition) in conditions.enumerated() {
            for (other, cursor) in cursors.enumerated() {
                let error = failure {
                    _ = try model.gallery.service.read { session in
                        try session.layout(key, of: stream, where: condition).page(.after(cursor), limit: 5)
                    }
                }
                let expected = StreamServiceError.invalidCursor("it belongs to photos that meet another condition")
                #expect(error == (number == other ? nil : expected))
            }
        }
    }

    @Test func `conditions on values that photos do not have are refused by name`() throws {
        let model = try Model()
        let key = try LayoutKey(SampleLayouts.configurations[0])
        for text in ["added:2020", "place:zurich", "sea is:vanished"] {
            let condition = try Condition(parsing: text)
            let error = failure {
                _ = try model.gallery.service.read { session in
                    try session.layout(key, of: Gallery.stream, where: condition).summary()
                }
            }
            let term = try #require(condition.canonicalText.split(separator: " ").last)
            #expect(error?.description == "no photo has the value of \"\(term)\"")
        }
    }

    private func failure(_ body: () throws -> Void) -> StreamServiceError? {
        do { try body() } catch { return error as? StreamServiceError }
        return nil
    }

    /// Compares all answers about a view with those about a stream.
    private func compare(
        _ gallery: Gallery, _ condition: Condition, with other: Gallery, _ layout: Int, using random: inout SplitMix64
    ) throws {
        let key = try LayoutKey(SampleLayouts.configurations[layout])
        let seed = UInt64(random.int(in: 0...1_000_000))
        let answers = try [(gallery, condition as Condition?), (other, nil)].map { gallery, condition in
            try gallery.service.read { session in
                try ViewAnswers(session.layout(key, of: Gallery.stream, where: condition), seed: seed)
            }
        }
        #expect(answers[0] == answers[1], "\(condition), layout \(layout)")
    }
}

/// Answers of all kinds about a layout.
struct ViewAnswers: Equatable {
    private var texts: [String] = []

    init(_ layout: borrowing SessionLayout, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let whole = try layout.summary()
        texts.append("\(whole.count) \(whole.context.contentSize) \(whole.sections)")
        var start = PageStart.first
        repeat {
            let page = try layout.page(start, limit: 37)
            texts += page.items.map(Self.text) + ["\(page.firstPosition) \(page.isInPlace)"]
            guard let cursor = page.nextCursor else { break }
            start = .after(cursor)
        } while true
        guard whole.count > 0 else { return }
        let size = whole.context.contentSize
        let scale = layout.key.displayScale
        func coordinate(_ length: Int64) -> Double { Double(random.int(in: 0...Int(length))) / scale.rawValue }
        for _ in 0..<4 {
            let rect = Rect(x: coordinate(size.width), y: coordinate(size.height), width: 500, height: 700)
            var start = RectStart.first(in: rect)
            repeat {
                let answer = try layout.rect(start, limit: 20)
                texts += answer.items.map(Self.text) + answer.elements.map { "\($0)" }
                guard let cursor = answer.nextCursor else { break }
                start = .after(cursor)
            } while true
            let point = try layout.at(Point(x: rect.x, y: rect.y), orNearest: true)
            texts.append("\(point.pixel) \(point.item.map(Self.text) ?? "") \(point.insertion)")
            let index = random.int(in: 0...whole.count - 1)
            texts.append(Self.text(try layout.item(at: index).item))
            let items = try layout.items(from: index, count: 30).items
            texts += items.map(Self.text)
            let located = try layout.locate(items[0].photo.id, limit: 10)
            texts.append(Self.text(located.item))
            texts += try layout.page(.after(located.cursor), limit: 10).items.map(Self.text)
            texts += try layout.items(withIDs: items.map(\.photo.id)).items.map(Self.text)
        }
        texts += try layout.scrubber(steps: 9).stops.map { "\($0)" }
    }

    private static func text(_ item: PlacedPhoto) -> String { "\(item.photo.id) \(item.attributes)" }
}
