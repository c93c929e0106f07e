/// The rule for the number of columns, or of lanes if content scrolls horizontally.
public enum ColumnCount: Hashable, Sendable {
    /// A fixed number, 1 to 128.
    case count(Int)
    /// As many columns as fit at this width or more, 1 to 128; the width is 1 to 100,000 points.
    case minimumWidth(Double)
}

extension ColumnCount {
    /// Returns the number of columns.
    func resolved(in key: LayoutKey) throws(LayoutError) -> Int {
        switch self {
        case .count(let count): return try LayoutRange.columnCount.checked(count, option: "columns")
        case .minimumWidth(let minimum):
            let pixels = max(
                1,
                try key.displayScale.pixels(
                    "minimum column width", points: minimum, in: LayoutRange.containerLength))
            let fitting = (key.availableLength + key.interitemSpacing) / (pixels + key.interitemSpacing)
            return Int(min(max(fitting, 1), Int64(LayoutRange.columnCount.upperBound)))
        }
    }
}

extension LayoutKeyFields {
    /// Reads a number of columns, 1 to 128.
    mutating func columnCount() throws(LayoutError) -> Int {
        let count = try number("columns")
        guard LayoutRange.columnCount.contains(Int(count)) else { throw .invalidKey(text) }
        return Int(count)
    }
}
