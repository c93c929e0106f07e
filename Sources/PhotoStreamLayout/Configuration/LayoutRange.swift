/// The ranges of layout options, ends included: lengths in points, ratios and counts as they are.
///
/// Every range is defined only here. Keys check against them, and so do options and their descriptions.
package enum LayoutRange {
    /// The length of a container across the scroll axis, and the minimum width of columns.
    package static let containerLength: ClosedRange<Double> = 1...100_000
    /// A length that may be zero: spacings, insets, captions, headers, badges.
    package static let length: ClosedRange<Double> = 0...10_000
    /// The side of an item or the height of a line.
    package static let itemLength: ClosedRange<Double> = 1...10_000
    /// Width divided by height.
    package static let ratio: ClosedRange<Double> = 0.001...1_000
    /// The accepted distance from a target, as a fraction of it.
    package static let tolerance: ClosedRange<Double> = 0...1
    /// The number of columns.
    package static let columnCount = 1...128
    /// The period of breakouts; 0 for never.
    package static let breakoutEvery = 0...1_000_000
    /// The zoom of a map.
    package static let zoom = 0...20
    /// The side of the cells of a map's clusters.
    package static let cluster: ClosedRange<Double> = 64...512
}

extension ClosedRange<Double> {
    /// Returns a value of an option.
    ///
    /// - Throws: ``LayoutError/outOfRange(option:value:allowed:)`` for a value outside the range, NaN included.
    func checked(_ value: Double, option: String) throws(LayoutError) -> Double {
        guard contains(value) else { throw .outOfRange(option: option, value: value, allowed: self) }
        return value
    }
}

extension ClosedRange<Int> {
    /// The same range of `Double`, for errors and descriptions.
    package var asNumbers: ClosedRange<Double> { Double(lowerBound)...Double(upperBound) }

    /// Returns a value of an option; throws as a range of `Double` does.
    func checked(_ value: Int, option: String) throws(LayoutError) -> Int {
        Int(try asNumbers.checked(Double(value), option: option))
    }
}

extension Double {
    /// The number in millionths, rounded half away from zero.
    var inMillionths: Int64 { Int64((self * 1_000_000).rounded(.toNearestOrAwayFromZero)) }

    /// The number as its shortest decimal; a whole one has no decimal point.
    var plainText: String { self == rounded() && abs(self) < 0x1p53 ? String(Int64(self)) : String(self) }
}
