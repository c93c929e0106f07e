public import PhotoStreamModel

/// The key of a section as a number: the part of the date that its photos share.
public struct SectionMark: Hashable, Sendable {
    /// The packed date in sections by day, and for dates that are less precise than the sections' unit; the months
    /// since year 0, the year, or the section's position; 0 for photos without a date and for the only section of an
    /// undivided stream.
    public let rawValue: Int64

    /// The maximum mark; this one and the one before it are those of a map.
    static let greatest: Int64 = 1 << 40

    /// Creates a mark from a number, at least 0.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The section's id: a day as `2026-11-21`, a month as `2026-11`, a year as `2026`, `undated`; `located` and
    /// `unlocated` in a map; or `all` if the stream is one section.
    ///
    /// Photos whose date is less precise than the sections' unit have a section of their own: `1866` and `1866-03` in
    /// sections by day.
    ///
    /// - Parameter sectioning: The rule that created the sections.
    /// - Returns: The id, unique in the stream.
    public func id(_ sectioning: Sectioning) -> String {
        switch self {
        case .located: return "located"
        case .unlocated: return "unlocated"
        default: break
        }
        guard sectioning != .none else { return "all" }
        guard rawValue > 0 else { return "undated" }
        let number = Int(rawValue)
        switch sectioning {
        case .month where number < Self.monthEnd:
            return "\((number / 12).padded(to: 4))-\((number % 12 + 1).padded(to: 2))"
        case .year where number < Self.yearEnd: return number.padded(to: 4)
        default: return OrderDate(packed: UInt32(truncatingIfNeeded: rawValue)).digits ?? "all"
        }
    }

    /// Months since year 0 and years are below these, packed months and years at or above.
    private static let (monthEnd, yearEnd) = (10_000 * 12, 10_000)
}

/// The borders of sections within a run of photos.
public struct SectionBorders: Sendable {
    /// Positions in the run, ascending, with the mark of the section that begins there.
    ///
    /// If several have one position, all but the last are empty.
    public private(set) var starts: [(position: Int, mark: SectionMark)] = []

    /// Creates the borders that result from dates.
    ///
    /// - Parameters:
    ///   - items: The photos.
    ///   - sectioning: The rule for the sections.
    ///   - open: The section that is open before the first photo.
    public init(_ items: PackedMetrics, sectioning: Sectioning, open: SectionMark?) {
        guard sectioning != .none else {
            if open == nil, items.count > 0 { starts.append((0, SectionMark(rawValue: 0))) }
            return
        }
        let shift = UInt64(PackedMetrics.dateShift)
        items.words.withUnsafeBufferPointer { words in
            var mark = open
            var date: UInt64?
            for start in stride(from: 0, to: words.count, by: Self.blockLength) {
                let block = start..<min(start + Self.blockLength, words.count)
                // Most blocks have only the date before them, which a vectorized pass detects.
                if let date, block.reduce(0, { $0 | (words[$1] >> shift ^ date) }) == 0 { continue }
                for position in block where words[position] >> shift != date {
                    date = words[position] >> shift
                    let next = SectionMark(OrderDate(packed: UInt32(words[position] >> shift)), sectioning: sectioning)
                    if next != mark { starts.append((position, next)) }
                    mark = next
                }
            }
        }
    }

    /// The number of photos that are compared together.
    private static let blockLength = 64

    /// Creates known borders.
    public init(starts: [(position: Int, mark: SectionMark)]) {
        self.starts = starts
    }

    /// Creates the borders of a list of sections, all in the order of folding.
    ///
    /// - Parameters:
    ///   - sections: The position of each section's first item, ascending.
    ///   - run: The positions in the stream that the run covers.
    ///   - isLast: Whether the run ends the stream, so that empty sections at the end begin in it.
    init(_ sections: [(first: Int, mark: SectionMark)], run: Range<Int>, isLast: Bool) {
        let from = sections.partitioningIndex { $0.first >= run.lowerBound }
        for section in sections[from...] {
            guard section.first < run.upperBound || isLast else { break }
            starts.append((section.first - run.lowerBound, section.mark))
        }
    }
}

extension SectionMark {
    /// The mark of a date.
    public init(_ date: OrderDate, sectioning: Sectioning) {
        switch (sectioning, date.unit, date.firstDay) {
        case (.month, .day, let day?), (.month, .month, let day?):
            self.init(rawValue: Int64(day.year * 12 + day.month - 1))
        case (.year, _, let day?): self.init(rawValue: Int64(day.year))
        default: self.init(rawValue: Int64(date.packed))
        }
    }
}
