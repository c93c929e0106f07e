/// The rule for the number of columns, or of lanes where content scrolls horizontally.
public enum ColumnCount: Hashable, Sendable {
    /// So many, 1 to 128.
    case count(Int)
    /// As many as fit at this width or more, at least one, at most 128; 1 to 100,000 points.
    case minimumWidth(Double)
}

extension ColumnCount {
    /// Finds the number of columns.
    func resolved(_ shared: LayoutKey.Shared) throws(LayoutError) -> Int {
        switch self {
        case .count(let count):
            guard (1...128).contains(count) else {
                throw .outOfRange(option: "columns", value: Double(count), allowed: 1...128)
            }
            return count
        case .minimumWidth(let minimum):
            let pixels = max(
                1, try shared.displayScale.pixels("minimum column width", points: minimum, in: 1...100_000))
            let fitting = (shared.availableLength + shared.interitemSpacing) / (pixels + shared.interitemSpacing)
            return Int(min(max(fitting, 1), 128))
        }
    }
}

extension LayoutKeyFields {
    /// A number of columns, 1 to 128.
    mutating func columnCount() throws(LayoutError) -> Int {
        let count = try number("columns")
        guard (1...128).contains(count) else { throw .invalidKey(text) }
        return Int(count)
    }
}
