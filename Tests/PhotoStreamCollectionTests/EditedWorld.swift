import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayoutTests

/// A layout that follows random edits, and the plain lists that determine the expected result.
struct EditedWorld {
    var layout: CollectionLayout
    var items: [ItemMetrics]
    /// The lengths of the sections if they are a list.
    var lengths: [Int]?
    var random: SplitMix64
    /// The identity of each item, which no edit changes.
    private(set) var ids: [Int]
    /// The identity of each section of a list.
    private(set) var sectionIDs: [Int]
    /// The items that were replaced.
    var replaced: Set<Int> = []
    private var nextID: Int

    /// Chunks so small that a few edits split and unite them.
    static let sizes = ChunkSizes(new: 16, least: 8, greatest: 32)

    init(_ configuration: LayoutConfiguration, count: Int, isList: Bool = false, seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        items = SampleMetrics.mixed(count, using: &random)
        var day = 20_000
        for index in items.indices {
            if random.oneIn(6) { day -= random.int(in: 1...40) }
            items[index] = items[index].with(day: random.oneIn(50) ? nil : day)
        }
        if isList { lengths = Self.lengths(count, using: &random) }
        ids = Array(0..<count)
        sectionIDs = Array((lengths ?? []).indices)
        nextID = 10_000
        layout = try CollectionLayout(
            configuration, items: PackedMetrics(items), sectionLengths: lengths, chunkSizes: Self.sizes)
    }

    /// Lengths that add up, many of them 0.
    static func lengths(_ count: Int, using random: inout SplitMix64) -> [Int] {
        var (lengths, rest) = ([Int](), count)
        while rest > 0 {
            let length = random.oneIn(3) ? 0 : min(rest, random.int(in: 1...40))
            lengths.append(length)
            rest -= length
        }
        return random.oneIn(2) || lengths.isEmpty ? lengths + [0] : lengths
    }

    /// The same, laid out from scratch.
    func scratch() throws -> LayoutSnapshot {
        LayoutSnapshot(
            try LayoutKey(layout.configuration), metrics: PackedMetrics(items), sectionLengths: lengths)
    }

    private mutating func newID() -> Int {
        nextID += 1
        return nextID
    }

    /// Photos to insert, with the days of those around.
    private mutating func newItems(near index: Int) -> [ItemMetrics] {
        let count = random.oneIn(12) ? random.int(in: 20...90) : random.int(in: 1...3)
        let day = items.isEmpty ? 20_000 : items[min(index, items.count - 1)].orderDay
        return SampleMetrics.mixed(count, using: &random).map { $0.with(day: day) }
    }

    /// A position from 0 to `count`: the ends more often.
    private mutating func position(_ count: Int) -> Int {
        switch random.int(in: 0...5) {
        case 0: 0
        case 1: count
        default: random.int(in: 0...count)
        }
    }

    private mutating func range() -> Range<Int> {
        let first = random.int(in: 0...items.count - 1)
        let most = random.oneIn(15) ? items.count - first : min(4, items.count - first)
        return first..<first + random.int(in: 1...most)
    }

    /// A random edit, made in the plain lists.
    mutating func edit() -> ItemEdit {
        let ofNothing = lengths.map { $0.count > 1 ? [0, 9, 10] : [0, 9] } ?? [0]
        let ofSome = 0...(lengths == nil ? 8 : 10)
        switch items.isEmpty ? random.element(of: ofNothing) : random.int(in: ofSome) {
        case 0, 1, 2: return insertion()
        case 3, 4: return deletion()
        case 5: return move()
        case 9:
            let position = random.int(in: 0...(lengths?.count ?? 0))
            lengths?.insert(0, at: position)
            sectionIDs.insert(newID(), at: position)
            return .insertSection(at: position)
        case 10 where (lengths?.count ?? 0) > 1: return sectionDeletion()
        default: return replacement()
        }
    }

    private mutating func insertion() -> ItemEdit {
        let index = position(items.count)
        let new = newItems(near: index)
        items.insert(contentsOf: new, at: index)
        ids.insert(contentsOf: new.map { _ in newID() }, at: index)
        return .insert(PackedMetrics(new), at: index, section: addToSection(index, new.count))
    }

    private mutating func deletion() -> ItemEdit {
        let range = range()
        items.removeSubrange(range)
        ids.removeSubrange(range)
        removeFromSections(range)
        return .delete(range)
    }

    private mutating func move() -> ItemEdit {
        let range = range()
        let (moved, movedIDs) = (items[range], ids[range])
        items.removeSubrange(range)
        ids.removeSubrange(range)
        removeFromSections(range)
        let index = position(items.count)
        items.insert(contentsOf: moved, at: index)
        ids.insert(contentsOf: movedIDs, at: index)
        return .move(range, to: index, section: addToSection(index, range.count))
    }

    private mutating func sectionDeletion() -> ItemEdit {
        guard let lengths else { return replacement() }
        guard let position = lengths.firstIndex(of: 0) else { return replacement() }
        self.lengths?.remove(at: position)
        sectionIDs.remove(at: position)
        return .deleteSection(at: position)
    }

    /// Another size, a caption, another place or another day.
    private mutating func replacement() -> ItemEdit {
        let range = range()
        let day = items[random.int(in: 0...items.count - 1)].orderDay
        let kind = random.int(in: 0...3)
        let place = random.oneIn(2) ? nil : WorldPosition(SampleMetrics.anyPlace(using: &random))
        replaced.formUnion(ids[range])
        for index in range {
            switch kind {
            case 0: items[index] = SampleMetrics.mixed(1, using: &random)[0].with(day: items[index].orderDay)
            case 1: items[index] = items[index].with(caption: !items[index].hasCaption)
            case 2: items[index] = items[index].with(position: place)
            default: items[index] = items[index].with(day: day)
            }
        }
        return .replace(PackedMetrics(items[range]), at: range.lowerBound)
    }

    /// A section that reaches a position, or none, which is the last of them.
    private mutating func addToSection(_ index: Int, _ count: Int) -> Int? {
        guard let lengths else { return nil }
        var (first, found) = (0, [Int]())
        var last = 0
        for (section, length) in lengths.enumerated() {
            if first <= index { last = section }
            if first <= index, index <= first + length { found.append(section) }
            first += length
        }
        if lengths.isEmpty {
            self.lengths = [count]
            sectionIDs = [newID()]
            return nil
        }
        if random.oneIn(2) || found.isEmpty {
            self.lengths?[last] += count
            return nil
        }
        let section = random.element(of: found)
        self.lengths?[section] += count
        return section
    }

    private mutating func removeFromSections(_ range: Range<Int>) {
        var first = 0
        for section in (lengths ?? []).indices {
            let length = lengths?[section] ?? 0
            lengths?[section] -= (first..<first + length).clamped(to: range).count
            first += length
        }
    }
}

extension LayoutSource where Failure == Never {
    /// Every element of the layout.
    func everything(visibleBounds: PixelRect? = nil) -> [LayoutAttributes] {
        // Items that do not fit extend far beyond the content.
        let all = PixelRect(x: -1 << 40, y: -1 << 40, width: 1 << 41, height: 1 << 41)
        return attributes(in: all, visibleBounds: visibleBounds).attributes
    }

    /// Compares its answers with those of another layout of the same photos.
    ///
    /// - Returns: The first difference, or `nil`.
    func difference(from other: some LayoutSource, using random: inout SplitMix64) -> String? {
        let (left, right) = (directory, other.directory)
        guard left.itemCount == right.itemCount else { return "\(left.itemCount) items, not \(right.itemCount)" }
        guard left.contentSize == right.contentSize else { return "\(left.contentSize), not \(right.contentSize)" }
        let sections = (left.sections.map(\.place), right.sections.map(\.place))
        guard sections.0 == sections.1 else { return "sections" }
        for index in 0..<left.itemCount {
            guard let other = try? other.attributes(forItemAt: index) else { return "no item \(index)" }
            let found = attributes(forItemAt: index)
            if found != other { return "item \(index): \(String(describing: found?.frame)), not \(other.frame)" }
        }
        let size = left.contentSize
        for _ in 0..<12 {
            let rect = PixelRect(
                x: Int64(random.int(in: -10...Int(size.width))), y: Int64(random.int(in: -10...Int(size.height))),
                width: Int64(random.int(in: 1...random.element(of: [1, 200, Int(size.width) + 1]))),
                height: Int64(random.int(in: 1...random.element(of: [1, 200, Int(size.height) + 1]))))
            guard let other = try? other.attributes(in: rect).attributes else { return "no answer" }
            let found = attributes(in: rect).attributes
            if found != other { return "\(rect): \(found.count) elements, not \(other.count)" }
        }
        return nil
    }
}

extension LayoutSection {
    /// All but the mark, which in a list is a section's own.
    fileprivate var place: [Int64] { [Int64(items.lowerBound), Int64(items.upperBound), origin, end] }
}
