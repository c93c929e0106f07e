/// A width and a height in pixels, both positive, neither absurd.
///
/// Where a `Photo` holds one it is the *displayed* size: orientation 5 to 8 has already swapped the sides.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// The longest side that is believed.
    public static let maximumSide: Int32 = 1_000_000
    /// The most that one side may be of the other.
    public static let maximumRatio: Int32 = 1_000
    /// What stands in for a size that the source did not give.
    public static let assumed = PixelSize(uncheckedWidth: 3, height: 2)

    /// The width in pixels, 1 to 1,000,000.
    public let width: Int32
    /// The height in pixels, 1 to 1,000,000.
    public let height: Int32

    /// Checks and wraps a size.
    ///
    /// - Throws: ``ModelError`` when a side is not positive or over 1,000,000 pixels, or one side is over 1,000
    ///   times the other.
    public init(width: Int, height: Int) throws(ModelError) {
        for (name, side) in [("width", width), ("height", height)] {
            guard side > 0 else { throw ModelError("\(name) \(side) is not positive") }
            guard side <= Int(Self.maximumSide) else {
                throw ModelError("\(name) \(side) is over \(Self.maximumSide) pixels")
            }
        }
        let ratio = Int(Self.maximumRatio)
        guard width <= height * ratio, height <= width * ratio else {
            throw ModelError("\(width) by \(height) is a ratio over \(ratio) to 1")
        }
        self.init(uncheckedWidth: Int32(width), height: Int32(height))
    }

    /// Wraps sides that were checked when they were stored.
    @inlinable
    package init(uncheckedWidth width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }

    /// The size with its sides swapped where the orientation asks for it; its own inverse.
    public func applying(_ orientation: Orientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(uncheckedWidth: height, height: width) : self
    }

    /// Width and height, such as `4000x3000`.
    public var description: String { "\(width)x\(height)" }
}
