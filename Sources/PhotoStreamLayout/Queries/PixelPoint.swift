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
    /// The device pixel that a point lies in, clamped to what can be laid out.
    ///
    /// - Parameter point: In points of content space.
    /// - Returns: The pixel; on the border of several the right and lower one.
    /// - Throws: ``LayoutError/invalidRect(_:)`` when a value is NaN or infinite.
    public func pixel(holding point: Point) throws(LayoutError) -> PixelPoint {
        guard point.x.isFinite, point.y.isFinite else {
            throw .invalidRect("a point's values must be finite")
        }
        let pixel = try pixels(covering: Rect(x: point.x, y: point.y, width: 1, height: 1))
        return PixelPoint(x: pixel.x, y: pixel.y)
    }
}

extension LayoutAxes {
    /// The place where a device pixel lies along and across the scroll axis; one far outside is moved nearer.
    func place(_ point: PixelPoint, contentExtent: Int64) -> (along: Int64, across: Int64) {
        let frame = frame(point.pixel, contentExtent: contentExtent)
        return (frame.along, frame.across)
    }
}
