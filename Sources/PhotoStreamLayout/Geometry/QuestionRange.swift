/// The range of coordinates that a question can reach, in device pixels from the origin of content space.
///
/// Every rectangle, point, offset and viewport that a question brings is moved into this range before anything is
/// computed with it: here, and nowhere else. A rectangle that has an extent keeps one, at least a pixel, so that no
/// range after is ever empty or inverted because of the move; one that lies past all content still meets nothing.
///
/// Why 64 bits hold all that follows: the greatest item has 800,000,000 pixels (a lane of 100,000 points at scale 8 and
/// a ratio of 1,000:1) and what stands around one at most 480,000 (spacing, caption, header, footer, insets), together
/// below 2^30. So 2^28 photos end before 2^58, and a sum of a coordinate of the range, its mirror image in the content,
/// an extent and an origin stays below 2^62; the engine doubles none but differences of two coordinates.
enum QuestionRange {
    /// No coordinate lies further from the origin.
    static let limit: Int64 = 1 << 60

    /// The nearest coordinate of the range.
    static func clamped(_ coordinate: Int64) -> Int64 { min(max(coordinate, -limit), limit) }

    /// The nearest viewport or distance of the range, at least 0.
    static func clampedExtent(_ extent: Int64) -> Int64 { min(max(extent, 0), limit) }

    /// The part of the range that is nearest to a span.
    ///
    /// - Parameters:
    ///   - start: Where the span begins.
    ///   - end: Where it ends.
    /// - Returns: Where the part begins, and its extent: at least 1 where the span has one, else 0.
    static func clamped(from start: Int64, to end: Int64) -> (start: Int64, extent: Int64) {
        guard start < end else { return (clamped(start), 0) }
        let first = min(max(start, -limit), limit - 1)
        return (first, max(min(end, limit), first + 1) - first)
    }
}

extension PixelRect {
    /// The rectangle within ``QuestionRange``; an empty one stays empty, any other keeps at least a pixel.
    var clamped: PixelRect {
        let (x, width) = QuestionRange.clamped(from: x, to: maxX)
        let (y, height) = QuestionRange.clamped(from: y, to: maxY)
        return PixelRect(x: x, y: y, width: width, height: height)
    }
}

extension PixelPoint {
    /// The pixel as a rectangle within ``QuestionRange``.
    var pixel: PixelRect {
        PixelRect(x: QuestionRange.clamped(x), y: QuestionRange.clamped(y), width: 1, height: 1).clamped
    }
}
