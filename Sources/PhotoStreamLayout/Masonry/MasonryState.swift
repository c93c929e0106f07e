/// All that a masonry remembers between two photos, relative to its own origin.
///
/// The origin is the front of the column that ends highest; it moves down the content, the state does not. Two folds
/// that meet in equal states place everything behind alike, whatever their origins: that is what lets a stored chunk
/// of frames stay valid after an edit above it.
public struct MasonryState: Hashable, Sendable {
    /// Where the next item of each column would begin, line spacing included, in device pixels below the origin.
    ///
    /// The least is 0. Compared column by column: which column is the short one matters.
    public let fronts: [Int64]
    /// The column that takes the next item, for round robin; 0 for shortest column.
    public let nextColumn: Int

    /// Above every front that 10 million photos of the greatest extent leave, all in one column of a round robin.
    private static let frontLimit: UInt64 = 1 << 53

    /// The state before the first photo.
    public init(columnCount: Int) {
        self.init(fronts: [Int64](repeating: 0, count: columnCount), nextColumn: 0)
    }

    init(fronts: [Int64], nextColumn: Int) {
        self.fronts = fronts
        self.nextColumn = nextColumn
    }

    /// The state as bytes: the next column, then the fronts, each as a variable-length integer.
    ///
    /// At most 8 bytes a column, so about 1 KB for 128 columns.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + fronts.count * 3)
        bytes.appendVariableLength(UInt64(nextColumn))
        for front in fronts { bytes.appendVariableLength(UInt64(front)) }
        return bytes
    }

    /// Reads a state.
    ///
    /// - Throws: ``LayoutError/invalidState`` when the bytes are no state of so many columns.
    public init(decoding bytes: some Collection<UInt8>, columnCount: Int) throws(LayoutError) {
        var rest = bytes[...]
        guard let next = rest.popVariableLength(), next < UInt64(columnCount) else { throw .invalidState }
        var fronts: [Int64] = []
        fronts.reserveCapacity(columnCount)
        for _ in 0..<columnCount {
            guard let front = rest.popVariableLength(), front < Self.frontLimit else { throw .invalidState }
            fronts.append(Int64(front))
        }
        guard rest.isEmpty, fronts.contains(0) else { throw .invalidState }
        self.init(fronts: fronts, nextColumn: Int(next))
    }
}
