import PhotoStreamModel

/// The frames of consecutive items, one number each: top << columnBits | column.
///
/// Tops are device pixels below the chunk's origin. Left edge, width and height follow from the column and the item's
/// metrics, so four bytes an item are enough where every number fits in 32 bits; else all of the chunk take eight.
public enum PackedFrames: Hashable, Sendable {
    /// Every number fits in 32 bits.
    case narrow([UInt32])
    /// Some number does not.
    case wide([UInt64])

    /// How many items there are.
    public var count: Int {
        switch self {
        case .narrow(let numbers): numbers.count
        case .wide(let numbers): numbers.count
        }
    }

    /// The memory that the numbers take.
    public var byteCount: Int {
        switch self {
        case .narrow(let numbers): 4 * numbers.count
        case .wide(let numbers): 8 * numbers.count
        }
    }

    /// The number of one item.
    ///
    /// - Precondition: `index` is in `0..<count`.
    @inlinable
    public subscript(index: Int) -> UInt64 {
        switch self {
        case .narrow(let numbers): UInt64(numbers[index])
        case .wide(let numbers): numbers[index]
        }
    }
}

extension PackedFrames {
    /// Packs numbers in four bytes each where all of them fit.
    init(_ numbers: [UInt64]) {
        let fits = numbers.allSatisfy { $0 <= UInt64(UInt32.max) }
        self = fits ? .narrow(numbers.map { UInt32(truncatingIfNeeded: $0) }) : .wide(numbers)
    }
}

extension PackedFrames {
    /// The numbers as bytes, little-endian: four or eight for each item.
    package var encoded: [UInt8] {
        switch self {
        case .narrow(let numbers): Self.bytes(numbers)
        case .wide(let numbers): Self.bytes(numbers)
        }
    }

    /// Reads numbers.
    ///
    /// - Returns: `nil` when the bytes do not hold so many, or a number is greater than any layout makes.
    package init?(decoding bytes: [UInt8], count: Int) {
        switch bytes.count {
        case 4 * count: self = .narrow(Self.numbers(bytes, count: count))
        case 8 * count:
            let numbers: [UInt64] = Self.numbers(bytes, count: count)
            guard numbers.allSatisfy({ $0 >> 56 == 0 }) else { return nil }
            self = .wide(numbers)
        default: return nil
        }
    }

    private static func bytes<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: [Number]) -> [UInt8] {
        numbers.map(\.littleEndian).withUnsafeBytes { [UInt8]($0) }
    }

    private static func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: [UInt8], count: Int
    ) -> [Number] {
        (0..<count).map { bytes.littleEndian(Number.self, at: $0 * MemoryLayout<Number>.size) }
    }
}
