/// A rectangle in whole device pixels of content space: origin at the top left, y down, half-open.
public struct PixelRect: Hashable, Sendable {
    /// The left edge.
    public var x: Int64
    /// The top edge.
    public var y: Int64
    /// The width in device pixels.
    public var width: Int64
    /// The height in device pixels.
    public var height: Int64

    /// Creates a rectangle.
    public init(x: Int64, y: Int64, width: Int64, height: Int64) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The first pixel right of it.
    public var maxX: Int64 { Self.end(from: x, extent: width) }
    /// The first pixel below it.
    public var maxY: Int64 { Self.end(from: y, extent: height) }

    /// The end of an extent, saturated at the maximum.
    @inline(__always)
    private static func end(from start: Int64, extent: Int64) -> Int64 {
        let (end, isBeyond) = start.addingReportingOverflow(extent)
        return isBeyond ? (extent > 0 ? .max : .min) : end
    }

    /// Whether a pixel belongs to both; `false` if one of them is empty.
    public func intersects(_ other: PixelRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
            && width > 0 && height > 0 && other.width > 0 && other.height > 0
    }
}

/// A size in whole device pixels.
public struct PixelExtent: Hashable, Sendable {
    /// The width in device pixels.
    public var width: Int64
    /// The height in device pixels.
    public var height: Int64

    /// Creates a size.
    public init(width: Int64, height: Int64) {
        self.width = width
        self.height = height
    }
}

/// A device pixel of content space: x right, y down, from the top left.
public struct PixelPoint: Hashable, Sendable {
    /// The distance from the left edge.
    public var x: Int64
    /// The distance from the top edge.
    public var y: Int64

    /// Creates a point.
    public init(x: Int64, y: Int64) {
        self.x = x
        self.y = y
    }
}

extension DisplayScale {
    /// The device pixel that contains a point of content space, clamped to the possible content.
    ///
    /// - Returns: The pixel; on a border, the right and lower one.
    /// - Throws: ``LayoutError/invalidRect(_:)`` if a value is NaN or infinite.
    public func pixel(holding point: Point) throws(LayoutError) -> PixelPoint {
        guard point.x.isFinite, point.y.isFinite else {
            throw .invalidRect("a point's values must be finite")
        }
        let pixel = try pixels(covering: Rect(x: point.x, y: point.y, width: 1, height: 1))
        return PixelPoint(x: pixel.x, y: pixel.y)
    }
}

extension LayoutAxes {
    /// The coordinates of a device pixel along and across the scroll axis, clamped to a range near the content.
    func place(_ point: PixelPoint, contentExtent: Int64) -> (along: Int64, across: Int64) {
        let frame = frame(point.pixel, contentExtent: contentExtent)
        return (frame.along, frame.across)
    }
}

/// The range of coordinates that a query can reach, in device pixels from the origin of content space.
///
/// Every rectangle, point, offset and viewport of a query is clamped to this range before it is used in a computation:
/// here, and nowhere else. A rectangle with an extent keeps at least a pixel, so that clamping never makes a range
/// empty or inverted; a rectangle beyond all content still meets nothing.
///
/// Why 64 bits are enough: the largest item has 800,000,000 pixels (a lane of 100,000 points at scale 8 and a ratio of
/// 1,000:1), and the elements around it at most 480,000 (spacing, caption, header, footer, insets), together below
/// 2^30. So 2^28 photos end before 2^58, and the sum of a coordinate of the range, its mirror image in the content, an
/// extent and an origin stays below 2^62; the engine doubles only differences of two coordinates.
enum QuestionRange {
    /// The maximum distance of a coordinate from the origin.
    static let limit: Int64 = 1 << 60

    /// The nearest coordinate of the range.
    static func clamped(_ coordinate: Int64) -> Int64 { min(max(coordinate, -limit), limit) }

    /// The nearest viewport or distance in the range, at least 0.
    static func clampedExtent(_ extent: Int64) -> Int64 { min(max(extent, 0), limit) }

    /// Clamps a span to the range.
    ///
    /// - Returns: The start, and the extent: at least 1 if the span has one, else 0.
    static func clamped(from start: Int64, to end: Int64) -> (start: Int64, extent: Int64) {
        guard start < end else { return (clamped(start), 0) }
        let first = min(max(start, -limit), limit - 1)
        return (first, max(min(end, limit), first + 1) - first)
    }
}

extension PixelRect {
    /// The rectangle clamped to ``QuestionRange``; an empty one stays empty, any other keeps at least a pixel.
    package var clamped: PixelRect {
        let (x, width) = QuestionRange.clamped(from: x, to: maxX)
        let (y, height) = QuestionRange.clamped(from: y, to: maxY)
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}

extension PixelPoint {
    /// The pixel as a rectangle, clamped to ``QuestionRange``.
    var pixel: PixelRect {
        PixelRect(x: QuestionRange.clamped(x), y: QuestionRange.clamped(y), width: 1, height: 1).clamped
    }
}
