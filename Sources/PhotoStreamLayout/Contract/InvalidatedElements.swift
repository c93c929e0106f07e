/// Which elements of a layout may have other attributes than a client has: what it asks for again.
///
/// Never too few; whole chunks are named where a part of one was placed again.
public struct InvalidatedElements: Hashable, Sendable {
    /// Whether all are meant.
    public internal(set) var everything = false
    /// Items that may stand elsewhere, by their positions now; ascending, apart from one another.
    public internal(set) var items: [Range<Int>] = []
    /// Sections whose headers, footers, backgrounds, badges and separators may stand elsewhere, by their positions now;
    /// ascending.
    public internal(set) var sections: [Range<Int>] = []
    /// What contexts have named beside that.
    public internal(set) var elements: [ElementKind: ElementSelection] = [:]

    /// Whether nothing is meant.
    public var isEmpty: Bool { !everything && items.isEmpty && sections.isEmpty && elements.isEmpty }

    /// Whether an element is meant.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - indexPath: Its section and its place within it, now.
    ///   - index: An item's position in stream order.
    /// - Returns: Whether its attributes may differ.
    /// - Complexity: O(log ranges).
    public func contains(_ kind: ElementKind, at indexPath: IndexPath, index: Int) -> Bool {
        if everything { return true }
        if elements[kind]?.contains(indexPath) == true { return true }
        return kind == .item ? items.covers(index) : sections.covers(indexPath.section)
    }

    /// Adds what was invalidated later; earlier positions mean nothing any more where positions have changed.
    mutating func formUnion(_ later: InvalidatedElements, keepingPositions: Bool) {
        if !keepingPositions, !isEmpty {
            self = InvalidatedElements()
            everything = true
        }
        everything = everything || later.everything
        items = items.united(with: later.items)
        sections = sections.united(with: later.sections)
        elements.merge(later.elements) { $0.union($1) }
    }
}

extension Array<Range<Int>> {
    /// Whether one of these ascending ranges has a position.
    func covers(_ position: Int) -> Bool {
        let index = partitioningIndex { $0.upperBound > position }
        return index < count && self[index].lowerBound <= position
    }

    /// Ascending ranges that cover what these and others do, none touching the next.
    func united(with others: [Range<Int>]) -> [Range<Int>] {
        (self + others).sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { result, range in
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else if !range.isEmpty {
                result.append(range)
            }
        }
    }
}
