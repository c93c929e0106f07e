extension PhotoNumber {
    /// The name in JSON, of the column in a CSV file and in the table `photo`.
    public var name: StaticString { row.name }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }

    /// The number of decimal places that are stored: the value of a photo is the number times this power of ten.
    public var decimalPlaces: Int { row.decimalPlaces }

    /// The unit that may follow the number in a record; empty if there is none.
    package var unit: String { row.unit }

    /// Whether the number has no decimal places.
    package var isWhole: Bool { decimalPlaces == 0 }

    /// The values that are accepted, in units of the last decimal place.
    public var range: ClosedRange<Int> { Int(row.range.lowerBound)...Int(row.range.upperBound) }

    /// Checks that a value is in range.
    ///
    /// - Parameter value: The value, in units of the last decimal place.
    /// - Throws: ``ModelError`` that names the number.
    public func check(_ value: Int) throws(ModelError) {
        if !range.contains(value) { throw problem(of: text(of: value)) }
    }

    /// Returns the error for a text that is not such a number.
    package func problem(of text: String) -> ModelError {
        let (first, last) = (self.text(of: range.lowerBound), self.text(of: range.upperBound))
        return ModelError("\"\(text)\" is not \(row.noun) from \(first) to \(last)")
    }

    /// Returns a value as a decimal.
    ///
    /// - Parameter value: The value, in units of the last decimal place.
    /// - Returns: The shortest decimal, such as `1.78` or `0.000125`.
    public func text(of value: Int) -> String {
        let (value, places) = shortest(value)
        guard places > 0 else { return "\(value)" }
        let digits = "\(value.magnitude)"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        return (value < 0 ? "-" : "") + "\(padded.dropLast(places)).\(padded.suffix(places))"
    }

    /// Removes trailing zeros of a value after the decimal point.
    ///
    /// - Parameter value: The value, in units of the last decimal place.
    /// - Returns: The value without them, in units of the last decimal place that remains, and the number of places.
    package func shortest(_ value: Int) -> (value: Int, decimalPlaces: Int) {
        var (value, places) = (value, decimalPlaces)
        while places > 0, value % 10 == 0 { (value, places) = (value / 10, places - 1) }
        return (value, places)
    }
}
