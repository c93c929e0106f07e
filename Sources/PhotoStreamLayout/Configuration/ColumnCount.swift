/// The rule for the number of columns, or of lanes if content scrolls horizontally.
public enum ColumnCount: Hashable, Sendable {
    /// A fixed number, 1 to 128.
    case count(Int)
    /// As many columns as fit at this width or more, 1 to 128; the width is 1 to 100,000 points.
    case minimumWidth(Double)
}

extension ColumnCount {
    /// Returns the number of columns.
    func resolved(_ shared: LayoutKey.Shared) throws(LayoutError) -> Int {
        switch self {
        case .count(let count):
            guard LayoutRange.columnCount.contains(count) else {
                throw .outOfRange(
                    option: "columns", value: Double(count), allowed: LayoutRange.columnCount.asNumbers)
            }
            return count
        case .minimumWidth(let minimum):
            let pixels = max(
                1,
                try shared.displayScale.pixels(
                    "minimum column width", points: minimum, in: LayoutRange.containerLength))
            let fitting = (shared.availableLength + shared.interitemSpacing) / (pixels + shared.interitemSpacing)
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
