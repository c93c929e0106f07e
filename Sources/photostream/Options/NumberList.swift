import ArgumentParser

/// Numbers between commas, as options take them: `0,4000,1200,900`.
enum NumberList {
    /// Reads so many numbers.
    ///
    /// - Throws: `ValidationError` when it is another count, something is no number, or more than a `Double` holds.
    static func numbers(_ text: String, count: Int) throws -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " }
        }
        guard parts.count == count else { throw ValidationError("that is not \(count) numbers between commas") }
        return try parts.map { part in
            guard let number = Double(part) else { throw ValidationError("\"\(part)\" is not a number") }
            // An infinity that was written as one is refused by name where it matters.
            guard number.isFinite || !part.contains(where: \.isNumber) else {
                throw ValidationError("\"\(part)\" is beyond what a number can be")
            }
            return number
        }
    }
}
