/// A rectangle in whole device pixels of content space: origin at the top left, y down, half-open.
public struct PixelRect: Hashable, Sendable {
    /// The left edge.
    public var x: Int64
    /// The top edge.
    public var y: Int64
    /// Device pixels across.
    public var width: Int64
    /// Device pixels down.
    public var height: Int64

    /// Creates a rectangle.
    public init(x: Int64, y: Int64, width: Int64, height: Int64) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The first pixel right of it.
    public var maxX: Int64 { Self.end(x, width) }
    /// The first pixel below it.
    public var maxY: Int64 { Self.end(y, height) }

    /// The end of something; what lies further than any number reaches ends at the greatest.
    @inline(__always)
    private static func end(_ start: Int64, _ extent: Int64) -> Int64 {
        let (end, isBeyond) = start.addingReportingOverflow(extent)
        return isBeyond ? (extent > 0 ? .max : .min) : end
    }

    /// Whether a pixel belongs to both; never where one of them is empty.
    public func intersects(_ other: PixelRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
            && width > 0 && height > 0 && other.width > 0 && other.height > 0
    }
}

/// A size in whole device pixels.
public struct PixelExtent: Hashable, Sendable {
    /// Device pixels across.
    public var width: Int64
    /// Device pixels down.
    public var height: Int64

    /// Creates a size.
    public init(width: Int64, height: Int64) {
        self.width = width
        self.height = height
    }
}
