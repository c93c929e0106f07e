import PhotoStreamLayout

/// Sections that are a list of lengths and do not result from dates; some may be empty.
///
/// A section keeps its mark: the position that it had at first, or the next free number.
struct SectionList: Hashable, Sendable {
    /// The position of each section's first item, or of the next item if it is empty; ascending.
    private(set) var firsts: [Int]
    private(set) var marks: [SectionMark]
    private var itemCount: Int
    private var nextMark: Int64

    /// Creates a list of sections.
    ///
    /// - Precondition: The lengths are not negative and their sum is the number of photos.
    init(_ lengths: [Int], itemCount: Int) {
        firsts = lengths.firsts(itemCount: itemCount)
        self.itemCount = itemCount
        marks = lengths.indices.map { SectionMark(rawValue: Int64($0)) }
        nextMark = Int64(lengths.count)
    }

    /// The positions of a section's items.
    func items(of section: Int) -> Range<Int> {
        precondition(firsts.indices.contains(section), "there is no such section")
        return firsts[section]..<(section + 1 < firsts.count ? firsts[section + 1] : itemCount)
    }

    /// Makes room for items.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - index: Their position.
    ///   - section: Their section, whose items reach the position; `nil` for the last section that begins at or before
    ///     the position.
    /// - Returns: Whether their section begins before them.
    mutating func insert(_ count: Int, at index: Int, section: Int?) -> Bool {
        if firsts.isEmpty { insertSection(at: 0) }
        let found = section ?? firsts.partitioningIndex { $0 > index } - 1
        let items = items(of: found)
        precondition(items.lowerBound <= index && index <= items.upperBound, "the section does not reach the position")
        for later in found + 1..<max(found + 1, firsts.count) { firsts[later] += count }
        itemCount += count
        return items.lowerBound < index
    }

    /// Removes items.
    mutating func remove(_ range: Range<Int>) {
        let first = firsts.partitioningIndex { $0 > range.lowerBound }
        for section in first..<firsts.count { firsts[section] = max(range.lowerBound, firsts[section] - range.count) }
        itemCount -= range.count
    }

    /// Inserts a section without items.
    ///
    /// - Returns: Its position in the stream.
    @discardableResult
    mutating func insertSection(at position: Int) -> Int {
        precondition(position >= 0 && position <= firsts.count, "there is no such section")
        let first = position < firsts.count ? firsts[position] : itemCount
        firsts.insert(first, at: position)
        marks.insert(SectionMark(rawValue: nextMark), at: position)
        nextMark += 1
        return first
    }

    /// Removes a section that has no items.
    ///
    /// - Returns: Its former position in the stream.
    mutating func removeSection(at position: Int) -> Int {
        precondition(items(of: position).isEmpty, "a section that is deleted has no items any more")
        marks.remove(at: position)
        return firsts.remove(at: position)
    }

    /// The positions of the sections that begin at positions of the stream.
    ///
    /// - Complexity: O(log sections).
    func sections(beginningIn range: ClosedRange<Int>) -> Range<Int> {
        let first = firsts.partitioningIndex { $0 >= range.lowerBound }
        return first..<max(first, firsts.partitioningIndex { $0 > range.upperBound })
    }

    /// The positions of the sections that end at positions of the stream, after their last item.
    ///
    /// - Complexity: O(log sections).
    func sections(endingIn range: ClosedRange<Int>) -> Range<Int> {
        let first = firsts.indices.partitioningIndex { items(of: $0).upperBound >= range.lowerBound }
        return first..<max(first, firsts.indices.partitioningIndex { items(of: $0).upperBound > range.upperBound })
    }
}
