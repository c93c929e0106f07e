package import PhotoStreamModel

/// A set of row ids.
///
/// It uses one bit per row id, in pages of 8 KB, so 10 million photos of one stream take 1.25 MB.
package struct RowIDSet: Sendable {
    private static let idsPerPage: Int64 = 65_536
    private var pages: [Int64: [UInt64]] = [:]

    /// Creates an empty set.
    package init() {}

    /// Adds a row id.
    ///
    /// - Returns: Whether it was not in the set.
    /// - Complexity: O(1).
    @discardableResult
    package mutating func insert(_ rowID: Int64) -> Bool {
        let page = rowID >> 16
        let bit = Int(rowID & (Self.idsPerPage - 1))
        let mask: UInt64 = 1 << UInt64(bit & 63)
        let empty = [UInt64](repeating: 0, count: pages[page] == nil ? Int(Self.idsPerPage / 64) : 0)
        let isNew = pages[page, default: empty][bit >> 6] & mask == 0
        if isNew { pages[page, default: empty][bit >> 6] |= mask }
        return isNew
    }

    /// Whether a row id is in the set.
    package func contains(_ rowID: Int64) -> Bool {
        let bit = Int(rowID & (Self.idsPerPage - 1))
        return pages[rowID >> 16].map { $0[bit >> 6] & (1 << UInt64(bit & 63)) != 0 } ?? false
    }

    /// Returns the mask of those among some row ids that are in the set.
    ///
    /// - Complexity: O(row ids), with a look-up for each run of row ids of one page.
    package func mask(of rowIDs: [Int64]) -> PhotoMask {
        var mask = PhotoMask(count: rowIDs.count)
        guard !pages.isEmpty else { return mask }
        var (number, page): (Int64?, [UInt64]) = (nil, [])
        for (position, rowID) in rowIDs.enumerated() {
            if rowID >> 16 != number { (number, page) = (rowID >> 16, pages[rowID >> 16] ?? []) }
            let bit = Int(rowID & (Self.idsPerPage - 1))
            if !page.isEmpty, page[bit >> 6] & (1 << UInt64(bit & 63)) != 0 { mask.insert(position) }
        }
        return mask
    }

    /// Removes a row id.
    package mutating func remove(_ rowID: Int64) {
        let bit = Int(rowID & (Self.idsPerPage - 1))
        pages[rowID >> 16]?[bit >> 6] &= ~(1 << UInt64(bit & 63))
    }
}
