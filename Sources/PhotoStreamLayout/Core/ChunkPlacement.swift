package import PhotoStreamModel

/// A run of consecutive photos as a fold placed it, relative to its base.
///
/// If the layout folds backward, all but the frames is as the fold sees it: lengths are counted from the end of the
/// content, and a section begins with its last photo.
public struct ChunkPlacement: Hashable, Sendable {
    /// The state after the last photo that was folded, relative to its own origin.
    public let exitState: LayoutState
    /// The extents of the run.
    public let extents: ChunkExtents
    /// The frames of the items, in stream order.
    public let frames: PackedFrames
    /// The sections that begin in the run.
    public let sections: [SectionStart]
}

/// The extents of a placed run, in device pixels along the scroll axis.
///
/// The base lies one line spacing above the origin of the state before the run.
public struct ChunkExtents: Hashable, Sendable {
    /// From the origin of the state before the run to that of the state after it; negative at most by a line spacing.
    public var advance: Int64
    /// The number of items that were placed; those that wait for their line to be full are placed by a later run.
    public var placedCount: Int
    /// Nothing placed begins above this, from the base.
    public var leastTop: Int64
    /// Nothing placed ends below this, from the base.
    public var greatestEnd: Int64
    /// No item that was placed is longer.
    public var longestItem: Int64
    /// Of a map, how many photos of the run have a position, and where; `nil` for all other layouts.
    package internal(set) var positions: PositionSummary?

    /// Creates extents.
    public init(advance: Int64, placedCount: Int, leastTop: Int64, greatestEnd: Int64, longestItem: Int64) {
        self.advance = advance
        self.placedCount = placedCount
        self.leastTop = leastTop
        self.greatestEnd = greatestEnd
        self.longestItem = longestItem
    }
}

/// The place where a section begins within a run.
public struct SectionStart: Hashable, Sendable {
    /// The position of its first photo among those of the run.
    public let position: Int
    /// The key of the section.
    public let mark: SectionMark
    /// The place where its header begins, from the run's base, in device pixels.
    public let origin: Int64

    /// Creates a start.
    public init(position: Int, mark: SectionMark, origin: Int64) {
        self.position = position
        self.mark = mark
        self.origin = origin
    }
}

/// The end of a layout: after the last photo, or before the first where the layout folds backward.
public struct LayoutEnding: Hashable, Sendable {
    /// The extents of the items that were still pending; the advance means nothing.
    public let extents: ChunkExtents
    /// Their frames.
    public let frames: PackedFrames
    /// Sections that begin after the last photo that was folded: empty ones.
    public let sections: [SectionStart]
    /// The place where the last section ends, from the base, in device pixels along the scroll axis.
    public let end: Int64
}

extension [SectionStart] {
    /// The starts as bytes: of each its distance from the one before, its mark and its origin, as variable-length
    /// integers.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        var position = 0
        for start in self {
            bytes.appendVariableLength(UInt64(start.position - position))
            bytes.appendVariableLength(UInt64(start.mark.rawValue))
            bytes.appendVariableLength(UInt64(start.origin))
            position = start.position
        }
        return bytes
    }

    /// Reads starts; fails when the bytes are not starts within a run of that many photos.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of ``encoded``.
    ///   - count: The count of the run's photos.
    package init?(decoding bytes: [UInt8], count: Int) {
        var rest = bytes[...]
        var position = 0
        self.init()
        while !rest.isEmpty {
            guard let step = rest.popVariableLength(), step <= UInt64(count), let mark = rest.popVariableLength(),
                mark <= UInt64(SectionMark.greatest), let origin = rest.popVariableLength(), origin < 1 << 56
            else { return nil }
            position += Int(step)
            guard position <= count else { return nil }
            append(
                SectionStart(position: position, mark: SectionMark(rawValue: Int64(mark)), origin: Int64(origin)))
        }
    }
}

// Variable-length integers, seven bits a byte from the lowest, the high bit set on all but the last (LEB128, as in the
// DWARF 4 standard, section 7.6).

extension Array<UInt8> {
    /// Adds an integer; 1 to 10 bytes.
    mutating func appendVariableLength(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension Collection<UInt8> where SubSequence == Self {
    /// Takes an integer off the front.
    ///
    /// - Returns: `nil` where the bytes end early or hold more than 63 bits.
    mutating func popVariableLength() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard let byte = popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
