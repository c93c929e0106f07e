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
