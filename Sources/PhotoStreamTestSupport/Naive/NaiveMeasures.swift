import PhotoStreamLayout

/// The lengths of a configuration in device pixels, and the direction of its axes, which every naive layout uses.
///
/// Along is the scroll axis, across the other one; before and after are insets along it, leading and trailing across.
struct NaiveMeasures {
    let isHorizontal: Bool
    let isMirrored: Bool
    let container: Int64
    let contentInset: NaiveInsets
    let sectionInset: NaiveInsets
    let interitem: Int64
    let line: Int64
    let caption: Int64
    let header: Int64
    let footer: Int64
    let scale: Double

    init(_ configuration: LayoutConfiguration) {
        let scale = configuration.displayScale
        func pixels(_ points: Double) -> Int64 { NaiveNumbers.roundedHalfUp(points * scale) }
        let isHorizontal = configuration.scrollDirection == .horizontal
        func insets(_ insets: EdgeInsets) -> NaiveInsets {
            let (top, left) = (pixels(insets.top), pixels(insets.left))
            let (bottom, right) = (pixels(insets.bottom), pixels(insets.right))
            return isHorizontal
                ? NaiveInsets(before: left, after: right, leading: top, trailing: bottom)
                : NaiveInsets(before: top, after: bottom, leading: left, trailing: right)
        }
        self.isHorizontal = isHorizontal
        isMirrored = configuration.layoutDirection == .rightToLeft
        container = pixels(configuration.containerLength)
        contentInset = insets(configuration.contentInset)
        sectionInset = insets(configuration.sections.inset)
        interitem = pixels(configuration.interitemSpacing)
        line = pixels(configuration.lineSpacing)
        caption = pixels(configuration.captionExtent)
        header = pixels(configuration.sections.headerReferenceSize)
        footer = pixels(configuration.sections.footerReferenceSize)
        self.scale = scale
    }

    /// Converts a length of a configuration.
    func pixels(_ points: Double) -> Int64 { NaiveNumbers.roundedHalfUp(points * scale) }

    /// The length across the scroll axis that a section's items share.
    var available: Int64 {
        container - contentInset.leading - contentInset.trailing - sectionInset.leading - sectionInset.trailing
    }

    /// The start of a section's items across the scroll axis.
    var leading: Int64 { contentInset.leading + sectionInset.leading }

    /// Returns a caption's extent.
    ///
    /// A caption that reduces a lane or a line leaves at least a pixel to the picture.
    func caption(inLaneOf length: Int64) -> Int64 { isHorizontal ? min(caption, length - 1) : caption }

    /// Returns the number of columns with a minimum width, counted one by one.
    func columnCount(_ columns: ColumnCount) -> Int64 {
        switch columns {
        case .count(let count): return Int64(count)
        case .minimumWidth(let width):
            let least = max(1, pixels(width))
            var count: Int64 = 1
            while count < 128, (count + 1) * least + count * interitem <= available { count += 1 }
            return count
        }
    }

    /// Returns the position and width of every column.
    ///
    /// Leftover pixels go to the first columns, one each.
    func columnSpans(_ columns: ColumnCount) -> [NaiveSpan] {
        let count = columnCount(columns)
        let shared = available - interitem * (count - 1)
        var spare = shared % count
        var x = leading
        return (0..<count).map { _ in
            let width = shared / count + (spare > 0 ? 1 : 0)
            spare -= 1
            defer { x += width + interitem }
            return NaiveSpan(start: x, length: width)
        }
    }
}

/// Insets along and across the scroll axis.
struct NaiveInsets {
    let before, after, leading, trailing: Int64
}

/// A range of device pixels.
package struct NaiveSpan: Equatable {
    /// The first pixel.
    package let start: Int64
    /// The number of pixels.
    package let length: Int64
}

/// Rounding in integers.
package enum NaiveNumbers {
    /// Rounds a nonnegative number.
    ///
    /// Adding a half first would not work, since the sum can itself round up.
    package static func roundedHalfUp(_ number: Double) -> Int64 {
        let whole = Int64(number)
        return number - Double(whole) >= 0.5 ? whole + 1 : whole
    }

    /// Returns a quotient of nonnegative numbers, rounded half up.
    package static func roundedHalfUp(_ numerator: UInt128, over denominator: UInt128) -> Int64 {
        Int64((2 * numerator + denominator) / (2 * denominator))
    }

    /// Returns `length × numerator / denominator`, rounded half up, at least one.
    package static func scaled(_ length: Int64, by numerator: Int32, over denominator: Int32) -> Int64 {
        max(1, roundedHalfUp(UInt128(length) * UInt128(numerator), over: UInt128(denominator)))
    }
}
