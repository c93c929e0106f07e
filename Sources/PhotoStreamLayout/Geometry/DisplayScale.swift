/// The number of device pixels per point and dimension, 0.5 to 8.
///
/// The only type that converts between points and device pixels.
public struct DisplayScale: Hashable, Sendable, CustomStringConvertible {
    /// The accepted scales.
    public static let range: ClosedRange<Double> = 0.5...8

    /// The number of device pixels per point.
    public let rawValue: Double

    /// Checks and wraps a scale.
    ///
    /// - Throws: ``LayoutError/outOfRange(option:value:allowed:)`` outside ``range``, NaN included.
    public init(_ rawValue: Double) throws(LayoutError) {
        self.rawValue = try Self.range.checked(rawValue, option: "display scale")
    }

    /// Converts a length in points to device pixels, rounded half away from zero, clamped to 2^60 in either direction;
    /// 0 for NaN.
    public func pixels(_ points: Double) -> Int64 { whole(points, rounding: .toNearestOrAwayFromZero) }

    /// The device pixels that a rectangle in points touches.
    ///
    /// An item of whole device pixels meets the result exactly if it meets `rect`. Coordinates beyond the possible
    /// content are clamped, so a huge rectangle requests everything.
    ///
    /// - Throws: ``LayoutError/invalidRect(_:)`` if a value is NaN or infinite, or a side is negative.
    /// - Returns: The rectangle, empty if `rect` is empty.
    public func pixels(covering rect: Rect) throws(LayoutError) -> PixelRect {
        guard rect.x.isFinite, rect.y.isFinite, rect.width.isFinite, rect.height.isFinite else {
            throw .invalidRect("the rectangle \(rect.text): all values must be finite")
        }
        guard rect.width >= 0, rect.height >= 0 else {
            throw .invalidRect("the rectangle \(rect.text): width and height must not be negative")
        }
        guard rect.width > 0, rect.height > 0 else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
        let (minX, maxX) = (whole(rect.x, rounding: .down), whole(rect.x + rect.width, rounding: .up))
        let (minY, maxY) = (whole(rect.y, rounding: .down), whole(rect.y + rect.height, rounding: .up))
        // A side too thin to change its coordinate still lies in a pixel.
        return PixelRect(x: minX, y: minY, width: max(1, maxX - minX), height: max(1, maxY - minY))
    }

    /// Converts a length to points.
    public func points(_ pixels: Int64) -> Double { Double(pixels) / rawValue }

    /// Converts a rectangle to points.
    public func points(_ rect: PixelRect) -> Rect {
        Rect(x: points(rect.x), y: points(rect.y), width: points(rect.width), height: points(rect.height))
    }

    /// Converts a size to points.
    public func points(_ size: PixelExtent) -> Size {
        Size(width: points(size.width), height: points(size.height))
    }

    /// The scale as its shortest decimal; whole scales have no decimal point.
    public var description: String { rawValue.plainText }

    /// The device pixels, clamped to ``QuestionRange`` before the conversion to an integer.
    private func whole(_ points: Double, rounding rule: FloatingPointRoundingRule) -> Int64 {
        let (pixels, limit) = (points * rawValue, Double(QuestionRange.limit))
        return pixels.isNaN ? 0 : Int64(min(max(pixels, -limit), limit).rounded(rule))
    }
}

extension Rect {
    /// The numbers, in the notation of options.
    fileprivate var text: String { [x, y, width, height].map(\.plainText).joined(separator: ",") }
}
