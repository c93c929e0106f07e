package import PhotoStreamModel

/// The result of folding a run of consecutive photos, relative to its base.
///
/// If the layout folds backward, everything except the frames is in the direction of the fold: lengths are measured
/// from the end of the content, and a section begins with its last photo.
public struct ChunkPlacement: Equatable, Sendable {
    /// The state after the last folded photo, relative to its own origin.
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
/// The base is one line spacing above the origin of the state before the run.
public struct ChunkExtents: Hashable, Sendable {
    /// The distance from the origin of the state before the run to that of the state after it; at least minus one line
    /// spacing.
    public var advance: Int64
    /// The number of placed items; items that wait for their line to fill are placed by a later run.
    public var placedCount: Int
    /// An upper bound of all frames, from the base.
    public var leastTop: Int64
    /// A lower bound of all frames, from the base.
    public var greatestEnd: Int64
    /// An upper bound of the items' lengths.
    public var longestItem: Int64
    /// The number of photos with a position and a box around them, for a map; `nil` for all other layouts.
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

/// The start of a section within a run.
public struct SectionStart: Hashable, Sendable {
    /// The position of its first photo in the run.
    public let position: Int
    /// The key of the section.
    public let mark: SectionMark
    /// The start of its header, from the run's base, in device pixels.
    public let origin: Int64
}

/// The end of a layout: after the last photo, or before the first if the layout folds backward.
public struct LayoutEnding: Equatable, Sendable {
    /// The extents of the items that were still pending; the advance is not used.
    public let extents: ChunkExtents
    /// Their frames.
    public let frames: PackedFrames
    /// The sections that begin after the last folded photo, all empty.
    public let sections: [SectionStart]
    /// The end of the last section, from the base, in device pixels along the scroll axis.
    public let end: Int64
}

extension [SectionStart] {
    /// The starts as bytes: for each start, the distance from the one before, the mark and the origin, as
    /// variable-length integers.
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

    /// Reads the starts of a run of `count` photos; returns `nil` if the bytes are not valid.
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

// Variable-length integers: seven bits per byte from the lowest, with the high bit set on all but the last (LEB128, as
// in the DWARF 4 standard, section 7.6).

extension Array<UInt8> {
    /// Appends an integer of 1 to 10 bytes.
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
    /// Reads an integer from the start.
    ///
    /// - Returns: `nil` if the bytes end early or hold more than 63 bits.
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
