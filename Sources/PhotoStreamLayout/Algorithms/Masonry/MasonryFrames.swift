import PhotoStreamModel

/// The positions of a masonry's items: a number per item, top << columnBits | column, with the top from the run's base.
///
/// If tops may decrease from one item to the next (round robin, spans or a tolerance), each 64 items have a box with
/// the range of their tops, so that a query reads only items that may match. Boxes follow from the numbers and are
/// never stored.
struct MasonryNumbers<Number: FixedWidthInteger & UnsignedInteger & Sendable>: Equatable, Sendable {
    let values: [Number]
    /// Empty if tops never decrease.
    private let boxes: [TopBox]

    private static var boxCapacity: Int { 64 }

    /// Wraps numbers whose low `columnBits` hold the column; pass `nil` if tops never decrease.
    init(_ values: [Number], boxedAbove columnBits: Int?) {
        self.values = values
        boxes =
            columnBits.map { bits in
                stride(from: 0, to: values.count, by: Self.boxCapacity).map { first in
                    TopBox(values[first..<min(first + Self.boxCapacity, values.count)], columnBits: bits)
                }
            } ?? []
    }

    /// The size of the numbers and boxes in memory.
    var byteCount: Int { MemoryLayout<Number>.stride * values.count + MemoryLayout<TopBox>.stride * boxes.count }

    /// Compares the numbers; the boxes follow from them.
    static func == (left: MasonryNumbers, right: MasonryNumbers) -> Bool { left.values == right.values }

    /// Calls `body` with the positions of items whose tops may lie in a range, in order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - range: Tops from the base of the run.
    ///   - body: Receives consecutive positions; returns whether to continue.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: O(items / 64 + items of the boxes that meet the range).
    @inline(__always)
    func forEachBox(meeting range: ClosedRange<Int64>, _ body: (Range<Int>) -> Bool) -> Bool {
        guard !boxes.isEmpty else { return body(0..<values.count) }
        for box in boxes.indices where boxes[box].least <= range.upperBound && range.lowerBound <= boxes[box].greatest {
            let first = box * Self.boxCapacity
            guard body(first..<min(first + Self.boxCapacity, values.count)) else { return false }
        }
        return true
    }
}

/// The range of the tops of some items.
private struct TopBox: Sendable {
    let least: Int64
    let greatest: Int64

    init<Number: FixedWidthInteger & UnsignedInteger>(_ numbers: ArraySlice<Number>, columnBits: Int) {
        // Columns are the low bits, so the smallest number has the smallest top.
        var (least, greatest) = (Number.max, Number.min)
        for number in numbers {
            least = min(least, number)
            greatest = max(greatest, number)
        }
        self.least = Int64(least >> Number(columnBits))
        self.greatest = Int64(greatest >> Number(columnBits))
    }
}

/// The frames of a masonry: four bytes per item if every number of the chunk fits, else eight.
enum MasonryFrames: AlgorithmFrames {
    /// Numbers that all fit in 32 bits.
    case narrow(MasonryNumbers<UInt32>)
    /// Numbers that do not all fit in 32 bits.
    case wide(MasonryNumbers<UInt64>)

    var content: ChunkFrames { .masonry(self) }

    var count: Int {
        switch self {
        case .narrow(let numbers): numbers.values.count
        case .wide(let numbers): numbers.values.count
        }
    }

    var byteCount: Int {
        switch self {
        case .narrow(let numbers): numbers.byteCount
        case .wide(let numbers): numbers.byteCount
        }
    }

    /// The number of an item.
    @inline(__always)
    subscript(position: Int) -> UInt64 {
        switch self {
        case .narrow(let numbers): UInt64(numbers.values[position])
        case .wide(let numbers): numbers.values[position]
        }
    }

    /// Packs numbers in four bytes each if all of them fit; `columnBits` is that of ``MasonryNumbers``.
    init(_ numbers: [UInt64], boxedAbove columnBits: Int?) {
        let fits = numbers.allSatisfy { $0 <= UInt64(UInt32.max) }
        self =
            fits
            ? .narrow(MasonryNumbers(numbers.map { UInt32(truncatingIfNeeded: $0) }, boxedAbove: columnBits))
            : .wide(MasonryNumbers(numbers, boxedAbove: columnBits))
    }

    /// The numbers as bytes, little-endian in four or eight.
    var encoded: [UInt8] {
        switch self {
        case .narrow(let numbers): Self.bytes(numbers.values)
        case .wide(let numbers): Self.bytes(numbers.values)
        }
    }

    /// Reads numbers.
    ///
    /// - Returns: `nil` if the bytes do not hold that many numbers, or a number is greater than any layout creates.
    init?(decoding bytes: [UInt8], count: Int, boxedAbove columnBits: Int?) {
        switch bytes.count {
        case 4 * count:
            self = .narrow(MasonryNumbers([UInt32](littleEndian: bytes, count: count), boxedAbove: columnBits))
        case 8 * count:
            let numbers = [UInt64](littleEndian: bytes, count: count)
            guard numbers.allSatisfy({ $0 >> 56 == 0 }) else { return nil }
            self = .wide(MasonryNumbers(numbers, boxedAbove: columnBits))
        default: return nil
        }
    }

    private static func bytes<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: [Number]) -> [UInt8] {
        numbers.map(\.littleEndian).withUnsafeBytes { [UInt8]($0) }
    }
}

/// The state of a masonry between two photos, relative to its own origin: the front of the column that ends first.
struct MasonryState: AlgorithmState {
    /// The start of the next item of each column, line spacing included, in device pixels below the origin.
    ///
    /// The minimum is 0. Compared column by column, because it matters which column is the shortest.
    let fronts: [Int64]
    /// The column that takes the next item, for round robin; 0 for shortest column.
    let nextColumn: Int

    /// A bound above every front that 10 million photos of the maximum extent leave, all in one column of a round
    /// robin.
    private static let frontLimit: UInt64 = 1 << 53

    var content: StateContent { .masonry(self) }

    /// Appends the state as bytes: the next column, then the fronts, each as a variable-length integer.
    ///
    /// At most 8 bytes per column, so about 1 KB for 128 columns.
    func encode(into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + 1 + fronts.count * 3)
        bytes.appendVariableLength(UInt64(nextColumn))
        for front in fronts { bytes.appendVariableLength(UInt64(front)) }
    }
}

extension MasonryState {
    /// Reads a state from the start of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` if the bytes are not a state with that many columns.
    init(decoding rest: inout ArraySlice<UInt8>, columnCount: Int) throws(LayoutError) {
        guard let next = rest.popVariableLength(), next < UInt64(columnCount) else { throw .invalidState }
        var fronts: [Int64] = []
        fronts.reserveCapacity(columnCount)
        for _ in 0..<columnCount {
            guard let front = rest.popVariableLength(), front < Self.frontLimit else { throw .invalidState }
            fronts.append(Int64(front))
        }
        guard fronts.contains(0) else { throw .invalidState }
        self.init(fronts: fronts, nextColumn: Int(next))
    }
}
