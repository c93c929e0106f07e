/// Sections that are a list of lengths, not a matter of dates; some may be empty.
///
/// A section's mark is its own for good: the position that it had at first, or the next number that was free.
struct SectionList: Hashable, Sendable {
    private(set) var lengths: [Int]
    private(set) var marks: [SectionMark]
    private var nextMark: Int64

    /// - Precondition: The lengths are not negative and add up to the photos.
    init(_ lengths: [Int], itemCount: Int) {
        precondition(lengths.allSatisfy { $0 >= 0 }, "a section has no negative length")
        precondition(lengths.reduce(0, +) == itemCount, "the sections' lengths add up to the photos")
        self.lengths = lengths
        marks = lengths.indices.map { SectionMark(rawValue: Int64($0)) }
        nextMark = Int64(lengths.count)
    }

    /// The positions of a section's items.
    ///
    /// - Complexity: O(sections).
    func items(of section: Int) -> Range<Int> {
        precondition(lengths.indices.contains(section), "there is no such section")
        let first = lengths[..<section].reduce(0, +)
        return first..<first + lengths[section]
    }

    /// Makes room for items.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - index: Their position.
    ///   - section: The section that they belong to, whose items reach the position; the last such one where it is `nil`.
    mutating func insert(_ count: Int, at index: Int, section: Int?) {
        if let section {
            let items = items(of: section)
            precondition(items.lowerBound <= index && index <= items.upperBound, "the section does not reach the position")
            lengths[section] += count
            return
        }
        if lengths.isEmpty { insertSection(at: 0) }
        var (found, first, start) = (0, 0, 0)
        for (position, length) in lengths.enumerated() {
            guard start <= index else { break }
            (found, first) = (position, start)
            start += length
        }
        precondition(index <= first + lengths[found], "a position outside the stream")
        lengths[found] += count
    }

    /// Takes items out.
    mutating func remove(_ range: Range<Int>) {
        var start = 0
        for position in lengths.indices {
            let items = start..<start + lengths[position]
            start = items.upperBound
            lengths[position] -= items.clamped(to: range).count
            if start >= range.upperBound { break }
        }
    }

    /// Begins a section without items.
    mutating func insertSection(at position: Int) {
        precondition(position >= 0 && position <= lengths.count, "there is no such section")
        lengths.insert(0, at: position)
        marks.insert(SectionMark(rawValue: nextMark), at: position)
        nextMark += 1
    }

    /// Ends a section that has no items any more.
    mutating func removeSection(at position: Int) {
        lengths.remove(at: position)
        marks.remove(at: position)
    }

    /// The position in the stream of each section's first item.
    var firsts: [Int] {
        var first = 0
        return lengths.map { length in
            defer { first += length }
            return first
        }
    }
}

extension SectionBorders {
    /// Borders of a list of sections.
    ///
    /// - Parameters:
    ///   - list: The sections.
    ///   - firsts: The position of the first item of each.
    ///   - run: The positions that the run covers.
    ///   - isLast: Whether nothing follows the run, so that empty sections at the end begin in it.
    init(_ list: SectionList, _ firsts: [Int], run: Range<Int>, isLast: Bool) {
        let from = firsts.partitioningIndex { $0 >= run.lowerBound }
        let end = isLast ? firsts.count : firsts.partitioningIndex { $0 >= run.upperBound }
        self.init(starts: (from..<max(from, end)).map { (firsts[$0] - run.lowerBound, list.marks[$0]) })
    }
}
