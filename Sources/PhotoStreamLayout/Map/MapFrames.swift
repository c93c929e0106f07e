import PhotoStreamModel

/// The photos of a chunk that have a position on a map, with boxes around them, but not the positions.
///
/// Created from the metrics and never stored; half a byte per photo.
struct MapFrames: AlgorithmFrames {
    /// The number of photos that share a box.
    static let blockLength = 64

    /// Consecutive photos.
    struct Block: Hashable {
        /// A bit for each photo with a position, the first lowest.
        var mask: UInt64 = 0
        /// The number of photos before the block with a position.
        var countBefore = 0
        /// The smallest box around their positions.
        var box: WorldBox?

        /// Reads packed positions.
        init(_ positions: Slice<UnsafeBufferPointer<UInt64>>, countBefore: Int) {
            self.countBefore = countBefore
            var (minX, maxX, minY, maxY) = (UInt32.max, UInt32.min, UInt32.max, UInt32.min)
            var bit: UInt64 = 1
            for position in positions {
                if position != WorldPosition.nowhere {
                    mask |= bit
                    let (x, y) = (UInt32(truncatingIfNeeded: position), UInt32(truncatingIfNeeded: position >> 32))
                    (minX, maxX, minY, maxY) = (min(minX, x), max(maxX, x), min(minY, y), max(maxY, y))
                }
                bit &<<= 1
            }
            if mask != 0 { box = WorldBox(minX: minX, maxX: maxX, minY: minY, maxY: maxY) }
        }
    }

    let count: Int
    var content: ChunkFrames { .map(self) }
    var byteCount: Int { MemoryLayout<Block>.stride * blocks.count }
    // Frames are created from the photos, never stored.
    var encoded: [UInt8] { [] }
    /// The number of photos with a position, and the box around them.
    let summary: PositionSummary
    let blocks: [Block]

    init(_ items: PackedMetrics) {
        count = items.count
        var (countBefore, box) = (0, WorldBox?.none)
        blocks = items.positions.withUnsafeBufferPointer { positions in
            stride(from: 0, to: items.count, by: Self.blockLength).map { first in
                // There may be no positions at all.
                let start = min(first, positions.count)
                let end = min(first + Self.blockLength, positions.count)
                let block = Block(positions[start..<end], countBefore: countBefore)
                countBefore += block.mask.nonzeroBitCount
                if let found = block.box { box = box?.union(found) ?? found }
                return block
            }
        }
        summary = PositionSummary(count: countBefore, box: box) ?? .none
    }

    /// Whether a photo has a position.
    func hasPosition(_ offset: Int) -> Bool {
        blocks[offset / Self.blockLength].mask >> UInt64(offset % Self.blockLength) & 1 == 1
    }

    /// The number of photos with a position before `end`, which is less than the number of photos.
    ///
    /// - Complexity: O(1).
    func locatedCount(before end: Int) -> Int {
        let block = blocks[end / Self.blockLength]
        return block.countBefore + (block.mask & (1 << UInt64(end % Self.blockLength) - 1)).nonzeroBitCount
    }

    /// The rank of a photo among those with a position, or among those without one.
    ///
    /// - Complexity: O(1).
    func rank(of offset: Int) -> Int {
        let located = locatedCount(before: offset)
        return hasPosition(offset) ? located : offset - located
    }

    /// The inverse of ``rank(of:)``.
    ///
    /// - Parameters:
    ///   - rank: The number of photos of its kind before it.
    ///   - isLocated: Whether it has a position.
    /// - Returns: Its position in the chunk; `nil` if there are fewer.
    /// - Complexity: O(log photos).
    func offset(of rank: Int, isLocated: Bool) -> Int? {
        guard rank >= 0, rank < (isLocated ? summary.count : count - summary.count) else { return nil }
        func before(_ block: Int) -> Int {
            isLocated ? blocks[block].countBefore : block * Self.blockLength - blocks[block].countBefore
        }
        let block = blocks.indices.partitioningIndex { before($0) > rank } - 1
        var mask = isLocated ? blocks[block].mask : ~blocks[block].mask
        for _ in 0..<rank - before(block) { mask &= mask - 1 }
        return block * Self.blockLength + mask.trailingZeroBitCount
    }

    /// The number of photos of a block.
    func length(ofBlock block: Int) -> Int { min(Self.blockLength, count - block * Self.blockLength) }
}
