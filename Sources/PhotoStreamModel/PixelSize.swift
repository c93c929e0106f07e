/// A validated width and height in pixels.
///
///     let encoded = try PixelSize(width: 4000, height: 3000)
///     let displayed = encoded.applying(.right)  // 3000x4000
///
/// In a `Photo` this is the *displayed* size: orientations 5 to 8 have already swapped the sides.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// The maximum accepted side length, in pixels.
    public static let maximumSide: Int32 = 1_000_000
    /// The maximum ratio of one side to the other.
    public static let maximumRatio: Int32 = 1_000
    /// The size assumed for a photo whose source gives none.
    public static let assumed = PixelSize(uncheckedWidth: 3, height: 2)

    /// The width in pixels, 1 to 1,000,000.
    public let width: Int32
    /// The height in pixels, 1 to 1,000,000.
    public let height: Int32

    /// Creates a validated size.
    ///
    /// - Throws: ``ModelError`` if a side is not positive or exceeds 1,000,000 pixels, or if one side is over 1,000
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

    /// Creates a size from sides that were validated before.
    @inlinable
    package init(uncheckedWidth width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }

    /// Returns the size with its sides swapped if the orientation requires it.
    ///
    /// Applying it twice restores the size.
    public func applying(_ orientation: Orientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(uncheckedWidth: height, height: width) : self
    }

    /// Width and height as text, such as `4000x3000`.
    public var description: String { "\(width)x\(height)" }
}

/// The raw EXIF orientation tag, 1 to 8.
///
/// It describes how the file's rows and columns map to the display. Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
public enum Orientation: UInt8, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Whether displaying the image swaps its width and height (5 to 8).
    public var swapsSides: Bool { rawValue >= 5 }
}

/// The origin of a photo's pixel size.
public enum MetricsSource: UInt8, Sendable {
    /// The source gave whole pixels.
    case measured = 0
    /// The source gave decimal numbers; only their ratio is meaningful.
    case ratio = 1
    /// The source gave no size; 3 by 2 is assumed.
    case assumed = 2

    /// The JSON value.
    public var name: String {
        switch self {
        case .measured: "measured"
        case .ratio: "ratio"
        case .assumed: "assumed"
        }
    }
}
