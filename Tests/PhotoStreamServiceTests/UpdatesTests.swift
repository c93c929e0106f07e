import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Updates between revisions, compared with layouts of the photos at each, computed from scratch.
@Suite struct UpdatesTests {
    // The last reads nothing of its photos.
    private static let configurations =
        SampleLayouts.configurations + [
            LayoutConfiguration(containerLength: 900, algorithm: .grid(GridParameters(columns: .count(7))))
        ]

    @Test(.withoutPrimary, arguments: UInt64(0)..<5)
    func `the previous layout and the updates equal those between complete layouts`(seed: UInt64) throws {
        let edited = try EditedGallery([0, 2, 300, 2_600, 5_000][Int(seed)], seed: seed)
        var random = SplitMix64(seed: seed + 100)
        for _ in 0..<5 {
            for _ in 0..<random.int(in: 1...4) { try edited.edit() }
            try edited.remember()
            if random.oneIn(3) { try edited.gallery.service.storeDerived() }
            if random.oneIn(6) { try edited.gallery.service.clearDerived() }
            let moment = random.oneIn(2) ? edited.moments[edited.moments.count - 2] : random.element(of: edited.moments)
            for configuration in Self.configurations {
                let comparison = try Comparison(configuration, moment, edited)
                #expect(try comparison.pastDifference() == nil, "seed \(seed), \(comparison.key)")
                for _ in 0..<3 {
                    let rect = comparison.randomRect(using: &random)
                    #expect(try comparison.difference(in: rect) == nil, "seed \(seed), \(rect), \(comparison.key)")
                }
            }
        }
    }

    @Test(.withoutPrimary, arguments: UInt64(0)..<4)
    func `the updates of a view equal those between complete layouts of its photos`(seed: UInt64) throws {
        let conditions = try [
            "has:caption", "-has:caption", "shell OR new", "width:..400", "is:landscape -shell",
            "taken:1970-01-05..1970-03", "rating:5",
        ].map { try Condition(parsing: $0) }
        let edited = try EditedGallery([3, 300, 2_600, 4_000][Int(seed)], seed: seed)
        var random = SplitMix64(seed: seed + 200)
        for step in 0..<8 {
            for _ in 0..<random.int(in: 1...6) { try edited.edit() }
            try edited.remember()
            if random.oneIn(3) { try edited.gallery.service.storeDerived() }
            let moment = random.element(of: edited.moments)
            let condition = conditions[step % conditions.count]
            for configuration in Self.configurations {
                let comparison = try Comparison(configuration, moment, edited, where: condition)
                #expect(try comparison.pastDifference() == nil, "seed \(seed), \(condition), \(comparison.key)")
                #expect(try comparison.changesDifference() == nil, "seed \(seed), \(condition)")
                for _ in 0..<3 {
                    let rect = comparison.randomRect(using: &random)
                    #expect(
                        try comparison.difference(in: rect) == nil,
                        "seed \(seed), \(condition), \(rect), \(comparison.key)")
                }
            }
        }
    }

    @Test func `a condition that depends on the day or the stream's name has no changes`() throws {
        var random = SplitMix64(seed: 12)
        let gallery = try Gallery()
        try gallery.insert(20, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        let rect = Rect(x: 0, y: 0, width: 1_000, height: 500)
        for text in ["taken:last-30d", "stream:gallery", "-stream:other rating:5"] {
            let condition = try Condition(parsing: text)
            for condition in [condition, condition.resolvedNow()] {
                let reasons = try gallery.service.read { session -> [ReloadAnswer] in
                    let answers = (
                        try session.changes(of: Gallery.stream, where: condition, since: revision),
                        try session.changes(of: Gallery.stream, where: condition, since: revision, limit: 5),
                        try session.layout(key, of: Gallery.stream, where: condition).updates(since: revision, in: rect)
                    )
                    guard case (.reload(let one), .reload(let two), .reload(let three)) = answers else { return [] }
                    return [one, two, three]
                }
                #expect(reasons.map(\.reason) == [.condition, .condition, .condition], "\(text)")
                #expect(
                    reasons.first?.description.contains("the condition depends on the current day or the stream's name")
                        == true)
            }
        }
        // With the days that the earlier answer had, the photos are known.
        let fixed = try Condition(parsing: try Condition(parsing: "taken:last-30d").resolvedNow().canonicalText)
        let answer = try gallery.service.read {
            try $0.changes(of: Gallery.stream, where: fixed, since: revision)
        }
        guard case .changes(let changes) = answer else { throw Unexpected() }
        #expect(changes.condition == fixed && changes.changes.isEmpty)
    }

    @Test func `the first visible photo does not move while others are inserted above it`() throws {
        let edited = try EditedGallery(3_000, seed: 9)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let service = edited.gallery.service
        let rect = Rect(x: 0, y: 20_000, width: 1_203, height: 900)
        let before = try service.read { try $0.layout(key, of: Gallery.stream).rect(.first(in: rect)) }
        let revision = before.context.revision
        var random = SplitMix64(seed: 4)
        try edited.gallery.insert(40, using: &random, takenAt: 300_000...300_100)
        guard
            case .changes(let answer) = try service.read({
                try $0.layout(key, of: Gallery.stream).updates(since: revision, in: rect)
            })
        else { throw Unexpected() }
        let first = try #require(before.items.first)
        #expect(answer.anchor == first.photo.id)
        let now = try service.read { try $0.layout(key, of: Gallery.stream).locate(first.photo.id) }.item.attributes
            .frame
        #expect(now.y - answer.contentOffset == first.attributes.frame.y - 40_000)
        #expect(answer.contentOffset > 40_000)
        #expect(answer.oldContentSize == before.context.contentSize)
    }

    @Test func `a view that stays at the top shows the photos inserted above`() throws {
        let edited = try EditedGallery(300, seed: 10)
        let service = edited.gallery.service
        var newest = 300_000
        for direction in [ScrollDirection.vertical, .horizontal] {
            for reading in LayoutDirection.allCases {
                let key = try LayoutKey(
                    LayoutConfiguration(
                        containerLength: 600, scrollDirection: direction, layoutDirection: reading,
                        algorithm: .masonry(MasonryParameters(columns: .count(2)))))
                let before = try service.read { try $0.layout(key, of: Gallery.stream).summary() }.context
                let isFromRight = direction == .horizontal && reading == .rightToLeft
                let rect = Rect(
                    x: isFromRight ? Double(before.contentSize.width) - 600 : 0, y: 0, width: 600, height: 600)
                var random = SplitMix64(seed: 4)
                newest += 1_000
                try edited.gallery.insert(7, using: &random, takenAt: newest...newest + 100)
                let first = try #require(try edited.gallery.photos().first).id
                func updates(_ keeping: ScrollKeeping) throws -> UpdatesAnswer {
                    let answer = try service.read {
                        try $0.layout(key, of: Gallery.stream).updates(
                            since: before.revision, in: rect, keeping: keeping)
                    }
                    guard case .changes(let updates) = answer else { throw Unexpected() }
                    return updates
                }
                let kept = try updates(.offset)
                #expect(kept.anchor == nil)
                #expect(kept.contentOffset == (isFromRight ? kept.context.contentSize.width - 600 : 0))
                #expect(kept.insertions.contains { $0.photo == first }, "\(direction), \(reading)")
                let held = try updates(.item)
                #expect(held.anchor != nil && held.contentOffset != kept.contentOffset)
                let byDefault = try service.read {
                    try $0.layout(key, of: Gallery.stream).updates(since: before.revision, in: rect)
                }
                #expect(byDefault == .changes(held))
            }
        }
    }

    @Test func `a kept offset is clamped to the remaining content`() throws {
        let edited = try EditedGallery(300, seed: 11)
        let service = edited.gallery.service
        let key = try LayoutKey(SampleLayouts.configurations[0])
        let before = try service.read { try $0.layout(key, of: Gallery.stream).summary() }.context
        let scale = before.layoutKey.displayScale.rawValue
        let end = Double(before.contentSize.height) / scale - 600
        try service.deletePhotos(try edited.gallery.photos().dropFirst(20).map(\.id), from: Gallery.stream)
        let rect = Rect(x: 0, y: end, width: 1_203, height: 600)
        guard
            case .changes(let answer) = try service.read({
                try $0.layout(key, of: Gallery.stream).updates(since: before.revision, in: rect, keeping: .offset)
            })
        else { throw Unexpected() }
        #expect(answer.contentOffset == max(0, answer.context.contentSize.height - answer.oldBounds.height))
        #expect(answer.contentOffset < answer.oldBounds.y)
    }

    @Test func `an edit at the start of a stream with sections folds only its own chunk`() throws {
        var random = SplitMix64(seed: 5)
        let gallery = try Gallery()
        // A day to a hundred photos, so that a section's end cuts every fold off.
        for start in stride(from: 0, to: 80 * 86_400_000, by: 86_400_000) {
            try gallery.insert(100, using: &random, takenAt: start...start + 999)
        }
        let key = try LayoutKey(
            LayoutConfiguration(containerLength: 1_000, sections: SectionParameters(sectioning: .day)))
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        let revision = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        try gallery.service.deletePhotos([try #require(try gallery.photos().first).id], from: Gallery.stream)
        try gallery.service.read { session in
            let placed = try session.layout(key, of: Gallery.stream).placed()
            let changes = try placed.reader.netChanges(streamID: placed.stream.id, after: revision.rawValue)
            let past = try placed.reader.pastStream(placed.laidOut.chunks, before: changes)
            #expect(past.metrics.count { $0 != nil } == 1)
            #expect(try PastLayout(past, now: placed).foldedCount == 1)
        }
    }

    @Test func `a rectangle that meets more photos than an answer holds is refused`() throws {
        var random = SplitMix64(seed: 6)
        let gallery = try Gallery()
        try gallery.insert(1_500, using: &random)
        let key = try LayoutKey(SampleLayouts.configurations[0])
        // All were there before, none were, and more than are counted are there.
        let (now, rect) = (
            try gallery.service.read { try $0.stream(Gallery.stream) }.revision,
            Rect(x: 0, y: 0, width: 1e6, height: 1e9)
        )
        for revision in [now, Revision(0)] {
            let error = StreamServiceError.crowdedRect(rect, count: 1_500, maximum: 1_000)
            #expect(throws: error) {
                try gallery.service.read { try $0.layout(key, of: Gallery.stream).updates(since: revision, in: rect) }
            }
            #expect(error.description.hasPrefix("the rectangle 0,0,1000000,1000000000 meets 1500 photos, over 1000;"))
        }
        try gallery.insert(9_000, using: &random)
        let odd = Rect(x: 0, y: -0.5, width: 1e6, height: 1e9)
        let error = StreamServiceError.crowdedRect(odd, count: 10_000, maximum: 1_000)
        let later = try gallery.service.read { try $0.stream(Gallery.stream) }.revision
        #expect(throws: error) {
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).updates(since: later, in: odd) }
        }
        #expect(error.description.hasPrefix("the rectangle 0,-0.5,1000000,1000000000 meets 10000 photos or more, over"))
        let all = Rect(x: 0, y: 0, width: 1_203, height: 900)
        let answer = try gallery.service.read {
            try $0.layout(key, of: Gallery.stream).updates(since: Revision(99_999), in: all)
        }
        guard case .reload(let reload) = answer else { throw Unexpected() }
        #expect(reload.reason == .ahead)
    }

    private struct Unexpected: Error {}
}

/// ``difference(_:_:)``, for use if a method has that name.
private func firstDifference<Element: Equatable>(_ found: [Element], _ expected: [Element]) -> String? {
    difference(found, expected)
}

/// A layout at a moment and now: of the service, and from scratch.
private struct Comparison {
    let key: LayoutKey
    private let edited: EditedGallery
    private let moment: EditedGallery.Moment
    private let now: EditedGallery.Moment
    private let old: LayoutSnapshot
    private let new: LayoutSnapshot
    private let mapping: ItemMapping
    private let condition: Condition?

    init(
        _ configuration: LayoutConfiguration, _ moment: EditedGallery.Moment, _ edited: EditedGallery,
        where condition: Condition? = nil
    ) throws {
        let view = try ViewCondition(condition)
        let moment = moment.filtered { view.contains($0.photo, of: Gallery.stream) }
        let now = try #require(edited.moments.last).filtered { view.contains($0.photo, of: Gallery.stream) }
        self.condition = condition
        key = try LayoutKey(configuration)
        (self.edited, self.moment, self.now) = (edited, moment, now)
        old = LayoutSnapshot(key, metrics: moment.metrics)
        new = LayoutSnapshot(key, metrics: now.metrics)
        let written = edited.written(since: moment)
        let positions = Dictionary(
            uniqueKeysWithValues: moment.photos.enumerated().map { ($0.element.photo.id, $0.offset) })
        mapping = ItemMapping(
            runs: now.photos.map {
                ItemRun(old: positions[$0.photo.id], count: 1, isReplaced: written.contains($0.photo.id))
            })
    }

    /// A rectangle of the old content, sometimes beyond it.
    func randomRect(using random: inout SplitMix64) -> Rect {
        let size = old.contentSize
        let (x, y) = (random.int(in: 0...Int(size.width)), random.int(in: -20...Int(size.height)))
        // Photos of a map lie close together.
        if key.description.hasPrefix("map-") { return Rect(x: Double(x), y: Double(y), width: 150, height: 60) }
        return key.scrollDirection == .horizontal
            ? Rect(x: Double(x), y: 0, width: 1_200, height: size.height)
            : Rect(x: 0, y: Double(y), width: size.width, height: 900)
    }

    /// The difference between the former layout and one computed from the former photos.
    func pastDifference() throws -> String? {
        try edited.gallery.service.read { session in
            let placed = try session.layout(key, of: Gallery.stream, where: condition).placed()
            let changes = try session.changes(
                placed.reader.netChanges(streamID: placed.stream.id, after: moment.revision.rawValue),
                among: ViewCondition(condition), of: placed.stream, since: moment.revision)
            let past = try PastLayout(
                try placed.reader.pastStream(placed.laidOut.chunks, before: changes), now: placed)
            guard past.directory.contentSize == old.directory.contentSize else { return "content size" }
            let frames = try past.frames(from: 0, count: .max)
            let expected = old.frames(from: 0, count: .max)
            return firstDifference(frames, expected)
                ?? firstDifference(Array(past.directory.sections), Array(old.directory.sections))
        }
    }

    /// The difference between the service's updates and those between both layouts from scratch.
    func difference(in rect: Rect) throws -> String? {
        try ScrollKeeping.allCases.lazy.compactMap { try difference(in: rect, keeping: $0) }.first
    }

    private func difference(in rect: Rect, keeping: ScrollKeeping) throws -> String? {
        let answer = try edited.gallery.service.read {
            try $0.layout(key, of: Gallery.stream, where: condition)
                .updates(since: moment.revision, in: rect, keeping: keeping)
        }
        guard case .changes(let found) = answer else { return "\(answer)" }
        let bounds = try key.displayScale.pixels(covering: rect)
        let expected = LayoutUpdates(from: old, to: new, with: mapping, in: bounds, now: found.newBounds)
        guard found.context.contentSize == new.directory.contentSize else { return "content size" }
        guard found.oldContentSize == old.directory.contentSize else { return "old content size" }
        if let difference = keeping == .item ? anchorDifference(found, bounds) : offsetDifference(found, bounds) {
            return difference
        }
        let pairs = [
            ("insertions", found.insertions, expected.insertions), ("deletions", found.deletions, expected.deletions),
            ("moves", found.moves, expected.moves), ("reloads", found.reloads, expected.reloads),
        ]
        for (name, found, expected) in pairs {
            if let difference = firstDifference(found.map(\.element), expected) {
                return "\(name): \(difference)"
            }
            for update in found where update.photo != photo(of: update.element) {
                return "\(name): \(String(describing: update.photo)) is not the photo of \(update.element)"
            }
        }
        return nil
    }

    /// The difference between the photos at the moment with the changes since, at once or in pages, and the current photos.
    func changesDifference() throws -> String? {
        var photos = Dictionary(uniqueKeysWithValues: moment.photos.map { ($0.photo.id, $0.photo) })
        let current = Dictionary(uniqueKeysWithValues: now.photos.map { ($0.photo.id, $0.photo) })
        for limit in [nil, 7] as [Int?] {
            photos = Dictionary(uniqueKeysWithValues: moment.photos.map { ($0.photo.id, $0.photo) })
            var since = moment.revision
            var isComplete = false
            while !isComplete {
                let answer = try edited.gallery.service.read { session in
                    guard let limit else {
                        return try session.changes(of: Gallery.stream, where: condition, since: since)
                    }
                    return try session.changes(of: Gallery.stream, where: condition, since: since, limit: limit)
                }
                guard case .changes(let page) = answer else { return "\(answer)" }
                for change in page.changes {
                    if let photo = change.photo, try !ViewCondition(condition).contains(photo, of: Gallery.stream) {
                        return "\(change) is not in the view"
                    }
                    let isKnown = photos[change.id] != nil
                    guard isKnown == (change.kind != .inserted) else { return "\(change) of \(isKnown)" }
                    // A photo that a later page deletes has no fields.
                    photos[change.id] =
                        change.kind == .deleted
                        ? nil : change.photo ?? current[change.id] ?? photos[change.id] ?? Photo(id: change.id)
                }
                (since, isComplete) = (page.revision, page.isComplete)
            }
            guard photos == current else { return "other photos with limit \(limit ?? 0)" }
        }
        return nil
    }

    private func photo(of element: ElementUpdate) -> PhotoID? {
        guard let kind = (element.new ?? element.old)?.elementKind, kind == .item || kind == .badge else { return nil }
        if let new = element.new { return now.photos[new.index].photo.id }
        return element.old.map { moment.photos[$0.index].photo.id }
    }

    /// Whether the bounds keep their distance from the start of reading, as far as the content allows.
    private func offsetDifference(_ found: UpdatesAnswer, _ bounds: PixelRect) -> String? {
        guard found.anchor == nil else { return "an anchor" }
        let isHorizontal = key.scrollDirection == .horizontal
        let (before, after) = (old.directory.contentSize, new.directory.contentSize)
        let (extent, viewport) = isHorizontal ? (after.width, bounds.width) : (after.height, bounds.height)
        var wanted = isHorizontal ? bounds.x : bounds.y
        if isHorizontal, key.layoutDirection == .rightToLeft { wanted = after.width - (before.width - bounds.x) }
        wanted = min(max(wanted, 0), max(0, extent - viewport))
        return found.contentOffset == wanted ? nil : "content offset \(found.contentOffset), not \(wanted)"
    }

    /// Whether the anchor does not move, as far as the content allows.
    private func anchorDifference(_ found: UpdatesAnswer, _ bounds: PixelRect) -> String? {
        var visible: [Int] = []
        old.forEachItem(in: bounds) { index, _ in
            visible.append(index)
            return true
        }
        let there = visible.compactMap { index in mapping.newIndex(of: index).map { (old: index, new: $0) } }
        let steady = there.first { moment.photos[$0.old].key == now.photos[$0.new].key } ?? there.first
        guard found.anchor == steady.map({ now.photos[$0.new].photo.id }) else { return "another anchor" }
        guard let steady, let before = old.frame(forItemAt: steady.old), let after = new.frame(forItemAt: steady.new)
        else { return nil }
        let isHorizontal = key.scrollDirection == .horizontal
        let extent = isHorizontal ? new.directory.contentSize.width : new.directory.contentSize.height
        let viewport = isHorizontal ? bounds.width : bounds.height
        let wanted = isHorizontal ? after.x - before.x + bounds.x : after.y - before.y + bounds.y
        let isAsLarge = before.height == after.height && before.width == after.width
        guard isAsLarge, (0...max(0, extent - viewport)).contains(wanted) else { return nil }
        return found.contentOffset == wanted ? nil : "content offset \(found.contentOffset), not \(wanted)"
    }
}
