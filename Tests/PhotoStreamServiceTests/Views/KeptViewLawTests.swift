import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Every answer about a kept view equals that about its source with the rule as the condition.
@Suite struct KeptViewLawTests {
    private static let rules = [
        "rating:>=3", "boat OR tag:sea", "-tag:sea taken:1970", "taken:last-30d", "is:favourite rating:0..5",
        "album:Italy",
    ]
    private static let conditions = ["", "rating:..4", "boat", "-boat OR tag:sea", "-stream:gallery -town"]
    private static let view = StreamName(stored: "kept")

    private let gallery: Gallery
    private let service: PhotoStreamService

    init() throws {
        gallery = try Gallery(chunkSize: ChunkSize(minimum: 8, target: 16, maximum: 32))
        service = gallery.service
        var random = SplitMix64(seed: 3)
        try gallery.insert(150, using: &random)
        for number in 1...150 { try describe(number, using: &random) }
    }

    private func describe(_ number: Int, using random: inout SplitMix64) throws {
        var record = PhotoRecord(id: PhotoID(stored: "photo-\(number)"))
        record.rating = .set(random.int(in: 0...5))
        record.isFavourite = .set(random.oneIn(3))
        record.isArchived = .set(random.oneIn(6))
        record.albums = .set([["Italy"], ["Italy/2025", "Best"], []][random.int(in: 0...2)])
        record.tags = .set([["sea"], ["sea", "boat"], ["town"], []][random.int(in: 0...3)])
        record.caption = random.oneIn(3) ? .clear : .set(["An old boat", "A harbour"][random.int(in: 0...1)])
        try service.edit(record, in: Gallery.stream)
    }

    /// The condition of a question that means the rule and another condition.
    private func both(_ rule: String, _ condition: String) throws -> Condition {
        try Condition(parsing: condition.isEmpty ? rule : "(\(rule)) (\(condition))")
    }

    @Test(arguments: rules) func `layouts show the photos that meet the rule and the condition`(rule: String) throws {
        try service.createView(Self.view, of: Gallery.stream, where: Condition(parsing: rule))
        for (number, condition) in Self.conditions.enumerated() {
            let key = try LayoutKey(SampleLayouts.configurations[number % SampleLayouts.configurations.count])
            let asked = condition.isEmpty ? nil : try Condition(parsing: condition)
            let (kept, plain) = try service.read { session in
                (
                    try ViewAnswers(session.layout(key, of: Self.view, where: asked), seed: 7),
                    try ViewAnswers(
                        session.layout(
                            key, of: Gallery.stream,
                            // The view has its own name.
                            where: both(rule, condition.replacing("-stream:gallery", with: "-stream:kept"))), seed: 7)
                )
            }
            #expect(kept == plain, "\(rule), \(condition)")
            let context = try service.read { session in
                try session.layout(key, of: Self.view, where: asked).summary().context
            }
            #expect(context.stream == Self.view && context.condition == asked)
        }
    }

    @Test(arguments: rules) func `photos, counts and exports are those that meet the rule`(rule: String) throws {
        try service.createView(Self.view, of: Gallery.stream, where: Condition(parsing: rule))
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let expected = try service.read { session in
            try session.layout(key, of: Gallery.stream, where: Condition(parsing: rule)).items(from: 0, count: 200)
                .items.map(\.id)
        }
        // An archived photo is left out, but it is found by its id.
        let members = try service.read { session in
            let condition = try both("is:archived OR -is:archived", rule)
            return try session.layout(key, of: Gallery.stream, where: condition).items(from: 0, count: 200).items.map(
                \.id)
        }
        let archivedCount = try service.read { session in
            try session.layout(key, of: Gallery.stream, where: Condition(parsing: "is:archived")).summary().count
        }
        #expect(Set(expected).isSubset(of: members) && (members.isEmpty || expected.count < members.count))
        var listed: [PhotoID] = []
        repeat {
            let page = try service.read { try $0.photos(of: Self.view, after: listed.last, limit: 7) }
            listed += page.photos.map(\.id)
            guard page.isTruncated else { break }
        } while true
        #expect(listed == expected)
        try service.read { session in
            #expect(try session.stream(Self.view).count == expected.count)
            #expect(try session.streams().map(\.count) == [150 - archivedCount, expected.count])
            var exported: [PhotoID] = []
            try session.forEachPhoto(of: Self.view) { exported.append($0.id) }
            #expect(exported == expected)
            let all = (1...150).map { PhotoID(stored: "photo-\($0)") }
            let found = try session.photos(withIDs: all, of: Self.view)
            #expect(Set(found.photos.map(\.id)) == Set(members) && found.missing?.count == 150 - members.count)
            let items = try session.layout(key, of: Self.view).items(withIDs: all)
            #expect(Set(items.items.map(\.id)) == Set(expected))
            for id in all {
                let (isShown, isMember) = (expected.contains(id), members.contains(id))
                #expect((try? session.photo(id, of: Self.view).id) == (isMember ? id : nil))
                #expect((try? session.fileState(of: id, in: Self.view)) == (isMember ? PhotoFileState() : nil))
                #expect((try? session.stack(of: id, in: Self.view).photos.map(\.id)) == (isMember ? [id] : nil))
                #expect((try? session.layout(key, of: Self.view).locate(id).item.id) == (isShown ? id : nil))
            }
        }
    }

    @Test(arguments: rules) func `changes and updates are those of the source with the condition`(rule: String) throws {
        let condition = try Condition(parsing: rule)
        try service.createView(Self.view, of: Gallery.stream, where: condition)
        var random = SplitMix64(seed: 5)
        // The state in which the view was made may be one of another rule.
        try describe(150, using: &random)
        let before = try service.read { try $0.state(of: Self.view).revision }
        #expect(try before == service.read { try $0.state(of: Gallery.stream).revision })
        for number in stride(from: 1, to: 150, by: 9) { try describe(number, using: &random) }
        try service.deletePhotos([PhotoID(stored: "photo-2"), PhotoID(stored: "photo-3")], from: Gallery.stream)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let rect = Rect(x: 0, y: 0, width: 900, height: 900)
        try service.read { session in
            let kept = try session.changes(of: Self.view, since: before)
            let plain = try session.changes(of: Gallery.stream, where: condition, since: before)
            #expect(kept.contents == plain.contents)
            let page = try session.changes(of: Self.view, since: before, limit: 3)
            #expect(
                try page.contents
                    == session.changes(of: Gallery.stream, where: condition, since: before, limit: 3).contents)
            #expect(try session.changes(of: Self.view, since: before, atMost: 100).contents == plain.contents)
            let moved = try session.layout(key, of: Self.view).updates(since: before, in: rect)
            let other = try session.layout(key, of: Gallery.stream, where: condition).updates(since: before, in: rect)
            #expect(moved.contents == other.contents)
        }
    }

    @Test func `a rule with relative days has no changes, only a reason to read again`() throws {
        try service.createView(Self.view, of: Gallery.stream, where: Condition(parsing: "taken:last-30d"))
        let before = try service.read { try $0.state(of: Self.view).revision }
        var random = SplitMix64(seed: 5)
        try describe(1, using: &random)
        guard case .reload(let reload) = try service.read({ try $0.changes(of: Self.view, since: before) }) else {
            Issue.record("there are changes")
            return
        }
        #expect(reload.reason == .condition && reload.stream == Self.view)
        #expect(try service.read { try $0.stream(Self.view).rule } == "taken:last-30d")
    }

    @Test func `another rule ends cursors and makes another state`() throws {
        try service.createView(Self.view, of: Gallery.stream, where: Condition(parsing: "rating:>=1"))
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let (state, cursor) = try service.read { session in
            (try session.state(of: Self.view), try session.layout(key, of: Self.view).page(limit: 2).nextCursor)
        }
        try service.changeStream(Self.view, where: Condition(parsing: "rating:>=2"))
        let text = try #require(cursor)
        #expect(throws: StreamServiceError.invalidCursor("it belongs to photos that meet another condition")) {
            try service.read { _ = try $0.layout(key, of: Self.view).page(.after(text), limit: 2) }
        }
        let now = try service.read { try $0.state(of: Self.view) }
        #expect(now != state && now.revision == state.revision && now.streamID == state.streamID)
    }
}

extension ChangesOrReload where Answer == ChangesAnswer {
    /// The changes, or the reason, without the name and the condition of the question.
    fileprivate var contents: String {
        switch self {
        case .changes(let answer): "\(answer.changes) \(answer.revision) \(answer.isComplete)"
        case .reload(let reload): "\(reload.reason) \(reload.revision)"
        }
    }
}

extension ChangesOrReload where Answer == UpdatesAnswer {
    fileprivate var contents: String {
        switch self {
        case .changes(let answer):
            "\(answer.insertions) \(answer.deletions) \(answer.moves) \(answer.reloads) \(answer.newBounds)"
        case .reload(let reload): "\(reload.reason) \(reload.revision)"
        }
    }
}
