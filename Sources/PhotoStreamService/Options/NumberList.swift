package import PhotoStreamLayout

/// Numbers between commas, as options take them: `0,4000,1200,900`.
package enum NumberList {
    /// Reads so many numbers.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - count: How many there must be.
    /// - Returns: `nil` when it is another count, or something is no number.
    package static func numbers(_ text: String, count: Int) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Double(part.filter { $0 != " " }) }
        return parts.count == count && numbers.count == count ? numbers : nil
    }
}

extension Size {
    /// Reads `WIDTH,HEIGHT`, in points.
    package init?(optionText text: String) {
        guard let numbers = NumberList.numbers(text, count: 2) else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension Rect {
    /// Reads `X,Y,WIDTH,HEIGHT`, in points.
    package init?(optionText text: String) {
        guard let numbers = NumberList.numbers(text, count: 4) else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension EdgeInsets {
    /// Reads `TOP,LEFT,BOTTOM,RIGHT`, in points.
    package init?(optionText text: String) {
        guard let numbers = NumberList.numbers(text, count: 4) else { return nil }
        self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
}
