/// The two axes of a layout on the screen.
///
/// Everything is laid out along the scroll axis and across it, from the top left of a page that scrolls down, and only
/// mapped last, in whole pixels: horizontal scrolling is the transpose, right-to-left the mirror image.
struct LayoutAxes: Hashable, Sendable {
    let isHorizontal: Bool
    let isMirrored: Bool
    /// The content across the scroll axis: as long as the container, or longer in a map.
    let acrossLength: Int64

    init(_ key: LayoutKey) {
        isHorizontal = key.scrollDirection == .horizontal
        isMirrored = key.layoutDirection == .rightToLeft
        acrossLength = key.acrossLength
    }

    /// A frame on the screen.
    ///
    /// - Parameters:
    ///   - frame: Along and across the scroll axis.
    ///   - contentExtent: The whole content along the scroll axis.
    /// - Returns: The frame in device pixels of content space.
    @inline(__always)
    func rect(_ frame: AxisFrame, contentExtent: Int64) -> PixelRect {
        if isHorizontal {
            let x = isMirrored ? contentExtent - frame.along - frame.alongExtent : frame.along
            return PixelRect(x: x, y: frame.across, width: frame.alongExtent, height: frame.acrossExtent)
        }
        let x = isMirrored ? acrossLength - frame.across - frame.acrossExtent : frame.across
        return PixelRect(x: x, y: frame.along, width: frame.acrossExtent, height: frame.alongExtent)
    }

    /// The inverse of ``rect(_:contentExtent:)``.
    func frame(_ rect: PixelRect, contentExtent: Int64) -> AxisFrame {
        let rect = rect.clamped
        if isHorizontal {
            return AxisFrame(
                along: isMirrored ? contentExtent - rect.maxX : rect.x, across: rect.y, alongExtent: rect.width,
                acrossExtent: rect.height)
        }
        return AxisFrame(
            along: rect.y, across: isMirrored ? acrossLength - rect.maxX : rect.x, alongExtent: rect.height,
            acrossExtent: rect.width)
    }

    /// The content's extent on the screen.
    func size(contentExtent: Int64) -> PixelExtent {
        isHorizontal
            ? PixelExtent(width: contentExtent, height: acrossLength)
            : PixelExtent(width: acrossLength, height: contentExtent)
    }

    /// Insets along and across the scroll axis.
    func insets(_ insets: LayoutKey.PixelInsets) -> AxisInsets {
        isHorizontal
            ? AxisInsets(before: insets.left, after: insets.right, leading: insets.top, trailing: insets.bottom)
            : AxisInsets(before: insets.top, after: insets.bottom, leading: insets.left, trailing: insets.right)
    }
}

/// A rectangle along and across the scroll axis, in device pixels.
public struct AxisFrame: Hashable, Sendable {
    /// The place where it begins along the scroll axis.
    public var along: Int64
    /// The place where it begins across the scroll axis.
    public var across: Int64
    /// Its extent along the scroll axis.
    public var alongExtent: Int64
    /// Its extent across the scroll axis.
    public var acrossExtent: Int64

    /// Creates a frame.
    public init(along: Int64, across: Int64, alongExtent: Int64, acrossExtent: Int64) {
        self.along = along
        self.across = across
        self.alongExtent = alongExtent
        self.acrossExtent = acrossExtent
    }

    /// The first pixel after it along the scroll axis.
    public var alongEnd: Int64 { along + alongExtent }
    /// The first pixel after it across the scroll axis.
    public var acrossEnd: Int64 { across + acrossExtent }
}

extension AxisFrame {
    /// The frame further along the scroll axis.
    func moved(by distance: Int64) -> AxisFrame {
        AxisFrame(along: along + distance, across: across, alongExtent: alongExtent, acrossExtent: acrossExtent)
    }

    /// Whether a pixel belongs to both; the other is not empty.
    @inline(__always)
    func intersects(_ other: AxisFrame) -> Bool {
        along < other.alongEnd && other.along < alongEnd && across < other.acrossEnd && other.across < acrossEnd
            && alongExtent > 0 && acrossExtent > 0
    }
}

/// Insets by the axes: before and after the content along the scroll axis, leading and trailing across it.
struct AxisInsets: Hashable, Sendable {
    let before: Int64
    let after: Int64
    let leading: Int64
    let trailing: Int64
}
