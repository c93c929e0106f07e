package import PhotoStreamLayout
package import PhotoStreamModel

/// Masonry as somebody would write it who has read the design and nothing else: the reference of the engine's tests.
///
/// It shares types with the engine (a configuration in, rectangles out), but no code: whole numbers only, one item after
/// the other, a linear search for the shortest column, a filter for rectangles. Slow and plain on purpose.
package struct NaiveMasonry {
    /// The frame of every item in device pixels, in stream order.
    package private(set) var frames: [PixelRect] = []
    /// How much of each frame's height is its caption's.
    package private(set) var captionExtents: [Int64] = []
    /// The column of every item.
    package private(set) var columns: [Int] = []
    /// The extent of everything, insets included.
    package let contentSize: PixelExtent
    /// The left edge and the width of every column.
    package let columnSpans: [(x: Int64, width: Int64)]
    private let displayScale: Double

    /// Lays out items.
    ///
    /// - Precondition: The configuration is one that the engine accepts.
    package init(_ configuration: LayoutConfiguration, items: [ItemMetrics]) {
        guard case .masonry(let parameters) = configuration.algorithm else {
            preconditionFailure("only masonry has this reference")
        }
        let scale = configuration.displayScale
        func pixels(_ points: Double) -> Int64 { Self.roundedHalfUp(points * scale) }
        let inset = configuration.contentInset
        let (top, left, bottom) = (pixels(inset.top), pixels(inset.left), pixels(inset.bottom))
        let containerWidth = pixels(configuration.containerWidth)
        let contentWidth = containerWidth - left - pixels(inset.right)
        let interitem = pixels(parameters.interitemSpacing)
        let line = pixels(parameters.lineSpacing)
        let caption = pixels(parameters.captionExtent)

        let columnCount =
            switch parameters.columns {
            case .count(let count): count
            case .minimumWidth(let width):
                Self.columnCount(atLeast: max(1, pixels(width)), within: contentWidth, spacing: interitem)
            }
        let spans = Self.spans(columnCount, left: left, width: contentWidth, spacing: interitem)

        var nextTops = [Int64](repeating: top, count: columnCount)
        var lowestEnd = top
        for (index, item) in items.enumerated() {
            let column =
                switch parameters.columnChoice {
                case .shortest: Self.indexOfFirstLeast(nextTops)
                case .roundRobin: index % columnCount
                }
            let captionExtent = item.hasCaption ? caption : 0
            let extent = Self.pictureExtent(of: item.pixelSize, width: spans[column].width) + captionExtent
            let frame = PixelRect(x: spans[column].x, y: nextTops[column], width: spans[column].width, height: extent)
            frames.append(frame)
            captionExtents.append(captionExtent)
            columns.append(column)
            lowestEnd = max(lowestEnd, frame.y + extent)
            nextTops[column] += extent + line
        }
        columnSpans = spans
        contentSize = PixelExtent(width: containerWidth, height: lowestEnd + bottom)
        displayScale = scale
    }

    /// Which items meet a rectangle in points: every frame is looked at.
    ///
    /// Both are half-open, and a rectangle without area meets nothing.
    package func indices(meeting rect: Rect) -> [Int] {
        guard rect.width > 0, rect.height > 0 else { return [] }
        let (left, right) = (rect.x * displayScale, (rect.x + rect.width) * displayScale)
        let (top, bottom) = (rect.y * displayScale, (rect.y + rect.height) * displayScale)
        return frames.indices.filter { index in
            let frame = frames[index]
            return Double(frame.x) < right && left < Double(frame.x + frame.width)
                && Double(frame.y) < bottom && top < Double(frame.y + frame.height)
        }
    }

    /// The height of a picture that is scaled to a width: the exact quotient, rounded half up, at least one pixel.
    package static func pictureExtent(of size: PixelSize, width: Int64) -> Int64 {
        let (itemWidth, itemHeight) = (Int64(size.width), Int64(size.height))
        return max(1, (2 * width * itemHeight + itemWidth) / (2 * itemWidth))
    }

    /// Rounds a number that is not negative; not by adding a half, which can itself round up.
    private static func roundedHalfUp(_ number: Double) -> Int64 {
        let whole = Int64(number)
        return number - Double(whole) >= 0.5 ? whole + 1 : whole
    }

    /// Adds columns one by one as long as another fits.
    private static func columnCount(atLeast width: Int64, within available: Int64, spacing: Int64) -> Int {
        var count: Int64 = 1
        while count < 128, (count + 1) * width + count * spacing <= available { count += 1 }
        return Int(count)
    }

    /// Hands the pixels that are left over to the first columns, one each.
    private static func spans(
        _ count: Int, left: Int64, width: Int64, spacing: Int64
    ) -> [(x: Int64, width: Int64)] {
        let available = width - spacing * Int64(count - 1)
        var widths = [Int64](repeating: available / Int64(count), count: count)
        var spare = available % Int64(count)
        for column in widths.indices where spare > 0 {
            widths[column] += 1
            spare -= 1
        }
        var x = left
        return widths.map { width in
            defer { x += width + spacing }
            return (x, width)
        }
    }

    private static func indexOfFirstLeast(_ numbers: [Int64]) -> Int {
        var best = 0
        for index in numbers.indices where numbers[index] < numbers[best] { best = index }
        return best
    }
}
