/// What optimal breaks remember between two items: every way to break the undecided items that may still be the best.
///
/// The ways are a tree. Its root is the end of the last line that is decided; a way goes from a break to the one that
/// its last line begins at, and so on to the root. Only breaks are kept that a line may still begin at, and those on
/// the ways to them. The first break of which all ways lead is the root, since what lies before it is decided.
struct OpenBreaks: Hashable, Sendable {
    /// How many items are not placed.
    var itemCount = 0
    /// The extent of the last line that is decided, in device pixels, or 0 for none.
    var previousExtent: Int64 = 0
    /// The breaks in the items' order, the root first.
    var breaks = [Break(start: Start())]

    /// A place where a line may end.
    struct Break: Hashable, Sendable {
        /// The position among the breaks of the one that its line begins at.
        var parent = 0
        /// How many items its line has; none for the root, as all that follows.
        var itemCount = 0
        /// The extent of its line's pictures, in device pixels.
        var extent: Int64 = 0
        /// Whether some item of its line has a caption.
        var hasCaption = false
        /// What is known of the line that may begin there, or `nil` where none may.
        var start: Start?
    }

    /// All items behind a break, as the line that may begin there.
    struct Start: Hashable, Sendable {
        /// The sum of their ratios.
        var ratios: UInt64 = 0
        /// How many of them have a caption.
        var captionCount = 0
        /// What the way to the break costs more than that to the cheapest.
        var cost: UInt64 = 0
    }
}

extension OpenBreaks {
    /// Adds it as bytes: what is not placed, then break by break its items, flags, how far before it its line begins,
    /// and how much its extent differs from that of the break before, all as variable-length integers.
    func encode(into bytes: inout [UInt8]) {
        for value in [UInt64(itemCount), UInt64(previousExtent), UInt64(breaks.count)] {
            bytes.appendVariableLength(value)
        }
        var extent = previousExtent
        for (position, item) in breaks.enumerated() {
            let flags: UInt64 = (item.hasCaption ? 2 : 0) | (item.start == nil ? 0 : 1)
            bytes.appendVariableLength(UInt64(item.itemCount) << 2 | flags)
            if position > 0 {
                bytes.appendVariableLength(UInt64(position - item.parent))
                bytes.appendVariableLength(Self.unsigned(item.extent - extent))
                extent = item.extent
            }
            guard let start = item.start else { continue }
            for value in [start.ratios, UInt64(start.captionCount), start.cost] { bytes.appendVariableLength(value) }
        }
    }

    /// Takes breaks off the front of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` when they are none that a search can go on from.
    init(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) {
        func number(_ range: ClosedRange<UInt64>) throws(LayoutError) -> UInt64 {
            guard let value = rest.popVariableLength(), range.contains(value) else { throw .invalidState }
            return value
        }
        itemCount = Int(try number(0...1 << 28))
        previousExtent = Int64(try number(0...1 << 30))
        breaks = []
        var extent = previousExtent
        var ends: [Int] = []
        let count = Int(try number(1...UInt64(OptimalBreakRule.byteLimit)))
        for position in 0..<count {
            let value = try number(0...1 << 30)
            var item = Break(itemCount: Int(value >> 2), hasCaption: value & 2 == 2)
            var end = 0
            if position > 0 {
                item.parent = position - Int(try number(1...UInt64(position)))
                extent += Self.signed(try number(0...1 << 31))
                item.extent = extent
                end = ends[item.parent] + item.itemCount
                guard (1...1 << 30).contains(extent), end > ends[position - 1] else { throw .invalidState }
            } else if value >> 1 != 0 {
                throw .invalidState
            }
            let behind = itemCount - end
            guard behind >= 0 else { throw .invalidState }
            if value & 1 == 1 {
                item.start = Start(
                    ratios: try number((behind > 0 ? 1 : 0)...(behind > 0 ? 1 << 53 : 0)),
                    captionCount: Int(try number(0...UInt64(behind))), cost: try number(0...1 << 53))
            }
            ends.append(end)
            breaks.append(item)
        }
        guard isWhole else { throw .invalidState }
    }

    /// Whether every way ends where a line may begin, and starts are as a search leaves them.
    private var isWhole: Bool {
        var isNeeded = [Bool](repeating: false, count: breaks.count)
        var cheapest = UInt64.max
        var ratios = UInt64.max
        for item in breaks {
            guard let start = item.start else { continue }
            guard start.ratios < ratios else { return false }
            (cheapest, ratios) = (min(cheapest, start.cost), start.ratios)
        }
        for position in breaks.indices.reversed() {
            guard isNeeded[position] || breaks[position].start != nil else { return false }
            isNeeded[breaks[position].parent] = true
        }
        return cheapest == 0
            && breaks.count { $0.start != nil } <= OptimalBreakRule.startLimit
    }

    /// A number that may be negative as one that is not: small ones stay small.
    static func unsigned(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: value << 1 ^ value >> 63)
    }

    private static func signed(_ value: UInt64) -> Int64 {
        Int64(value >> 1) ^ -Int64(value & 1)
    }
}
