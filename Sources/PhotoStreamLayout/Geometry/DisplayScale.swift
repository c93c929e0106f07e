/// The number of device pixels side by side in a point, 0.5 to 8.
///
/// The only place where points become device pixels and device pixels become points.
public struct DisplayScale: Hashable, Sendable, CustomStringConvertible {
    /// The scales that are accepted.
    public static let range: ClosedRange<Double> = 0.5...8

    /// Device pixels in a point.
    public let rawValue: Double

    /// Checks and wraps a scale.
    ///
    /// - Throws: ``LayoutError/outOfRange(option:value:allowed:)`` outside ``range``, NaN included.
    public init(_ rawValue: Double) throws(LayoutError) {
        guard Self.range.contains(rawValue) else {
            throw .outOfRange(option: "display scale", value: rawValue, allowed: Self.range)
        }
        self.rawValue = rawValue
    }

    /// A length in device pixels, rounded half away from zero.
    ///
    /// - Parameter points: The length; every one that a configuration accepts is far below 2^60 pixels.
    /// - Returns: The pixels, clamped to 2^60 in either direction; 0 for NaN.
    public func pixels(_ points: Double) -> Int64 { whole(points, rounding: .toNearestOrAwayFromZero) }

    /// The device pixels that a rectangle in points touches.
    ///
    /// An item of whole device pixels meets the result exactly when it meets `rect`. Coordinates past the range of
    /// what can be laid out are clamped, so a huge rectangle is a legal way to ask for everything.
    ///
    /// - Throws: ``LayoutError/invalidRect(_:)`` when a value is NaN or infinite, or a side is negative.
    /// - Returns: An empty rectangle for an empty one.
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
        // A side too thin to move its coordinate still lies in a pixel.
        return PixelRect(x: minX, y: minY, width: max(1, maxX - minX), height: max(1, maxY - minY))
    }

    /// A length in points.
    public func points(_ pixels: Int64) -> Double { Double(pixels) / rawValue }

    /// A rectangle in points.
    public func points(_ rect: PixelRect) -> Rect {
        Rect(x: points(rect.x), y: points(rect.y), width: points(rect.width), height: points(rect.height))
    }

    /// A size in points.
    public func points(_ size: PixelExtent) -> Size {
        Size(width: points(size.width), height: points(size.height))
    }

    /// The scale as its shortest decimal, whole ones without a point.
    public var description: String {
        rawValue == rawValue.rounded() ? String(Int(rawValue)) : String(rawValue)
    }

    /// Device pixels, moved into ``QuestionRange`` before they become whole numbers.
    private func whole(_ points: Double, rounding rule: FloatingPointRoundingRule) -> Int64 {
        let (pixels, limit) = (points * rawValue, Double(QuestionRange.limit))
        return pixels.isNaN ? 0 : Int64(min(max(pixels, -limit), limit).rounded(rule))
    }
}

extension Rect {
    /// Its numbers, as options spell them.
    fileprivate var text: String {
        [x, y, width, height].map { number in
            let isWhole = number == number.rounded() && abs(number) < 0x1p53
            return isWhole ? String(Int64(number)) : String(number)
        }.joined(separator: ",")
    }
}
