/// All that a masonry remembers between two photos, relative to its own origin: the front of the column that ends
/// first.
struct MasonryState: AlgorithmState {
    /// The start of the next item of each column, line spacing included, in device pixels below the origin.
    ///
    /// The least is 0. Compared column by column: which column is the short one matters.
    let fronts: [Int64]
    /// The column that takes the next item, for round robin; 0 for shortest column.
    let nextColumn: Int

    /// Above every front that 10 million photos of the greatest extent leave, all in one column of a round robin.
    private static let frontLimit: UInt64 = 1 << 53

    /// The state before the first photo.
    init(columnCount: Int) {
        self.init(fronts: [Int64](repeating: 0, count: columnCount), nextColumn: 0)
    }

    init(fronts: [Int64], nextColumn: Int) {
        self.fronts = fronts
        self.nextColumn = nextColumn
    }

    /// Adds the state as bytes: the next column, then the fronts, each as a variable-length integer.
    ///
    /// At most 8 bytes a column, so about 1 KB for 128 columns.
    func encode(into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + 1 + fronts.count * 3)
        bytes.appendVariableLength(UInt64(nextColumn))
        for front in fronts { bytes.appendVariableLength(UInt64(front)) }
    }

    /// Takes a state off the front of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` when the bytes are not a state of so many columns.
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
