import PhotoStreamModel

/// Where consecutive items stand, in as few bytes as their layout allows: the rest follows from their metrics.
///
/// A masonry keeps one number an item, top << columnBits | column, its top in device pixels below the base of the run:
/// four bytes where every number of the chunk fits, else eight. Layouts in lines keep a record a line.
public enum PackedFrames: Hashable, Sendable {
    /// A number an item, each of which fits in 32 bits.
    case narrow(MasonryNumbers<UInt32>)
    /// A number an item, of which some does not.
    case wide(MasonryNumbers<UInt64>)
    /// The lines that the items stand in.
    case lines(LineFrames)
    /// Nothing: places follow from positions.
    case computed(count: Int)
    /// Nothing but which photos of a map have a position: places follow from those.
    case map(MapFrames)
    /// The frames themselves.
    case free(FreeFrames)

    /// How many items there are.
    public var count: Int {
        switch self {
        case .narrow(let numbers): numbers.values.count
        case .wide(let numbers): numbers.values.count
        case .lines(let frames): frames.itemCount
        case .computed(let count): count
        case .map(let frames): frames.count
        case .free(let frames): frames.frames.count
        }
    }

    /// The memory that they take.
    public var byteCount: Int {
        switch self {
        case .narrow(let numbers): numbers.byteCount
        case .wide(let numbers): numbers.byteCount
        case .lines(let frames): MemoryLayout<LineRecord>.stride * frames.lines.count
        case .computed: 0
        case .map(let frames): MemoryLayout<MapFrames.Block>.stride * frames.blocks.count
        case .free(let frames): MemoryLayout<AxisFrame>.stride * frames.frames.count
        }
    }
}

extension PackedFrames {
    /// Packs the numbers of a masonry in four bytes each where all of them fit.
    ///
    /// - Parameters:
    ///   - numbers: The numbers.
    ///   - columnBits: As for ``MasonryNumbers``.
    init(_ numbers: [UInt64], boxedAbove columnBits: Int?) {
        let fits = numbers.allSatisfy { $0 <= UInt64(UInt32.max) }
        self =
            fits
            ? .narrow(MasonryNumbers(numbers.map { UInt32(truncatingIfNeeded: $0) }, boxedAbove: columnBits))
            : .wide(MasonryNumbers(numbers, boxedAbove: columnBits))
    }
}

extension PackedFrames {
    /// The frames as bytes: numbers little-endian in four or eight, lines in variable-length integers.
    package var encoded: [UInt8] {
        switch self {
        case .narrow(let numbers): Self.bytes(numbers.values)
        case .wide(let numbers): Self.bytes(numbers.values)
        case .lines(let frames): frames.encoded
        case .computed, .map: []
        case .free(let frames): frames.encoded
        }
    }

    /// Reads the numbers of a masonry.
    ///
    /// - Returns: `nil` when the bytes do not hold so many, or a number is greater than any layout makes.
    fileprivate init?(decodingNumbers bytes: [UInt8], count: Int, boxedAbove columnBits: Int?) {
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

extension LayoutEngine {
    /// Reads frames of this layout.
    ///
    /// - Parameters:
    ///   - bytes: What ``PackedFrames/encoded`` gave.
    ///   - count: How many items they place.
    /// - Returns: `nil` when the bytes are no frames of so many items.
    package func frames(decoding bytes: [UInt8], count: Int) -> PackedFrames? {
        switch kernel {
        case .masonry(let masonry):
            PackedFrames(
                decodingNumbers: bytes, count: count, boxedAbove: masonry.isPlain ? nil : masonry.columnBits)
        case .uniform: bytes.isEmpty ? .computed(count: count) : nil
        case .flow, .justified: LineFrames(decoding: bytes, count: count).map { .lines($0) }
        // They are made of the photos, not of bytes.
        case .map: nil
        case .custom: FreeFrames(decoding: bytes, count: count).map { .free($0) }
        }
    }

    /// Whether anything that it places depends on the photos, rather than on how many there are.
    package var readsMetrics: Bool {
        if case .uniform = kernel { key.sections.sectioning != .none } else { true }
    }

    /// Whether nothing of it has to be stored, since all follows from the photos that a question touches.
    package var placesByFunction: Bool {
        switch kernel {
        case .map: true
        case .uniform: !readsMetrics
        case .masonry, .flow, .justified, .custom: false
        }
    }

    /// Whether it reads where photos were taken.
    package var readsPositions: Bool { isMap }
}
