/// The number of photos a chunk in memory that has.
package struct ChunkSizes: Hashable, Sendable {
    /// A new chunk has about so many.
    package let new: Int
    /// A chunk with fewer is united with a neighbour.
    package let least: Int
    /// A chunk with more is split.
    package let greatest: Int

    /// The sizes of a stream of any length.
    ///
    /// Half of what is stored in a file, where each chunk costs a row: an edit places one chunk at least.
    package static let standard = ChunkSizes(new: 1_024, least: 512, greatest: 2_048)

    /// Creates sizes.
    ///
    /// - Precondition: What is split does not have to be united again.
    package init(new: Int, least: Int, greatest: Int) {
        precondition(0 < least && least <= new && 2 * new <= greatest, "chunks would be split and united in turn")
        (self.new, self.least, self.greatest) = (new, least, greatest)
    }

    /// Cuts a run of photos into chunks: where a section begins, if one begins near enough, so that what happens in a
    /// section stays in its chunks.
    ///
    /// - Parameters:
    ///   - count: How many photos there are.
    ///   - borders: The positions where sections begin, ascending.
    /// - Returns: The parts in order; none is empty.
    func parts(of count: Int, cuttingAt borders: [Int]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while count - start > greatest {
            let wanted = start + new
            let next = borders.partitioningIndex { $0 >= wanted }
            let near = borders[max(0, next - 1)..<min(next + 1, borders.count)].filter { border in
                border >= start + least && border <= min(start + greatest, count - least)
            }
            let end = near.min { abs($0 - wanted) < abs($1 - wanted) } ?? wanted
            parts.append(start..<end)
            start = end
        }
        return start < count ? parts + [start..<count] : parts
    }
}
