/// One closed line: its position and its items.
///
/// The frames of the items follow from their metrics.
struct LineRecord: Hashable, Sendable {
    /// The start of the line along the scroll axis, from the base of its run, in device pixels.
    let top: Int64
    /// The thickness in device pixels; in a justified layout, without captions.
    let extent: UInt32
    private let startAndFlags: UInt32

    /// The special properties of a line.
    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32
        /// The line is the last of its section.
        static let last = Flags(rawValue: 1)
        /// The items keep their ratios and leave the rest of the line empty.
        static let natural = Flags(rawValue: 2)
        /// The items are not shown.
        static let hidden = Flags(rawValue: 4)
        /// An item has a caption.
        static let caption = Flags(rawValue: 8)
        /// The break was decided together with that of the line before; optimal breaks only.
        static let bound = Flags(rawValue: 16)

        /// The number of bits that hold the flags.
        static let bitCount = 5
        /// All bits that hold flags.
        static let mask: UInt32 = 1 << UInt32(bitCount) - 1
    }

    init(top: Int64, extent: Int64, start: Int, flags: Flags) {
        self.top = top
        self.extent = UInt32(truncatingIfNeeded: extent)
        startAndFlags = UInt32(truncatingIfNeeded: start) << UInt32(Flags.bitCount) | flags.rawValue
    }

    /// The position of the first item among those that the run placed.
    var start: Int { Int(startAndFlags >> UInt32(Flags.bitCount)) }

    var flags: Flags { Flags(rawValue: startAndFlags & Flags.mask) }

    /// The extent and the flags as one number.
    fileprivate var extentAndFlags: UInt64 { UInt64(extent) << UInt64(Flags.bitCount) | UInt64(flags.rawValue) }
}

/// The closed lines of a run.
struct LineFrames: AlgorithmFrames {
    /// The lines in order.
    var lines: [LineRecord] = []
    /// The number of items in the lines.
    var itemCount = 0

    var content: ChunkFrames { .lines(self) }
    var count: Int { itemCount }
    var byteCount: Int { MemoryLayout<LineRecord>.stride * lines.count }

    /// The items of a line.
    func items(of line: Int) -> Range<Int> {
        lines[line].start..<(line + 1 < lines.count ? lines[line + 1].start : itemCount)
    }

    /// The line that contains an item.
    ///
    /// - Complexity: O(log lines).
    func line(of item: Int) -> Int {
        lines.partitioningIndex { $0.start > item } - 1
    }

    /// Adds a line after the last.
    mutating func append(top: Int64, extent: Int64, itemCount count: Int, flags: LineRecord.Flags) {
        lines.append(LineRecord(top: top, extent: extent, start: itemCount, flags: flags))
        itemCount += count
    }
}

extension LineFrames {
    /// The lines as bytes: for each line, the distance from the one before, the extent, the flags and the item count,
    /// as variable-length integers.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.count * 6)
        var top: Int64 = 0
        for (position, line) in lines.enumerated() {
            bytes.appendVariableLength(UInt64(line.top - top))
            bytes.appendVariableLength(line.extentAndFlags)
            bytes.appendVariableLength(UInt64(items(of: position).count))
            top = line.top
        }
        return bytes
    }

    /// Reads lines.
    ///
    /// - Returns: `nil` if the bytes are not lines with that many items.
    init?(decoding bytes: [UInt8], count: Int) {
        var rest = bytes[...]
        var top: Int64 = 0
        while !rest.isEmpty {
            guard let step = rest.popVariableLength(), step < 1 << 48, let extent = rest.popVariableLength(),
                extent < 1 << 37, let items = rest.popVariableLength(), items >= 1, items < 1 << 24
            else { return nil }
            top += Int64(step)
            append(
                top: top, extent: Int64(extent >> UInt64(LineRecord.Flags.bitCount)), itemCount: Int(items),
                flags: LineRecord.Flags(rawValue: UInt32(truncatingIfNeeded: extent) & LineRecord.Flags.mask))
        }
        guard itemCount == count else { return nil }
    }
}

/// The sums that the frames of a line's items depend on, in addition to the items themselves.
struct LineTotals: Hashable, Sendable {
    /// The number of items in the line.
    var count = 0
    /// The sum of the items' lengths: device pixels in a flow, ratios in a justified layout.
    var length: UInt64 = 0
    /// The number of items with a caption.
    var captionCount = 0
    /// The maximum extent of a picture along the scroll axis, in device pixels; flow only.
    var thickest: Int64 = 0
}

/// The progress along a line: the sums that the next item's frame depends on.
struct LineProgress: Hashable, Sendable {
    /// The number of items so far.
    var count = 0
    /// The sum of their lengths, as in ``LineTotals/length``.
    var length: UInt64 = 0
    /// The number of these items with a caption; justified only.
    var captionCount = 0
    /// The edge after their pictures, without spacing, in device pixels; justified only.
    var edge: Int64 = 0
}
