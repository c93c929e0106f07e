/// Numbers between commas, as options take them: `0,4000,1200,900`.
enum NumberList {
    /// Reads so many numbers.
    ///
    /// - Returns: `nil` when it is another count, or something is no number.
    static func numbers(_ text: String, count: Int) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Double(part.filter { $0 != " " }) }
        return parts.count == count && numbers.count == count ? numbers : nil
    }
}
