/// The two axes of a layout on the screen.
///
/// All computations are along and across the scroll axis, from the top left of a page that scrolls down, and are mapped
/// to the screen last, in whole pixels: horizontal scrolling is the transpose, right-to-left the mirror image.
struct LayoutAxes: Hashable, Sendable {
    let isHorizontal: Bool
    let isMirrored: Bool
    /// The length of the content across the scroll axis: that of the container, or more for a map.
    let acrossLength: Int64

    init(_ key: LayoutKey) {
        isHorizontal = key.scrollDirection == .horizontal
        isMirrored = key.layoutDirection == .rightToLeft
        acrossLength = key.acrossLength
    }

    /// Maps a frame along and across the scroll axis to device pixels of content space.
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

    /// Maps insets to the axes.
    func insets(_ insets: LayoutKey.PixelInsets) -> AxisInsets {
        isHorizontal
            ? AxisInsets(before: insets.left, after: insets.right, leading: insets.top, trailing: insets.bottom)
            : AxisInsets(before: insets.top, after: insets.bottom, leading: insets.left, trailing: insets.right)
    }
}

/// A rectangle along and across the scroll axis, in device pixels.
public struct AxisFrame: Hashable, Sendable {
    /// The start along the scroll axis.
    public var along: Int64
    /// The start across the scroll axis.
    public var across: Int64
    /// The extent along the scroll axis.
    public var alongExtent: Int64
    /// The extent across the scroll axis.
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
    /// Returns the frame moved along the scroll axis.
    func moved(by distance: Int64) -> AxisFrame {
        AxisFrame(along: along + distance, across: across, alongExtent: alongExtent, acrossExtent: acrossExtent)
    }

    /// Whether a pixel belongs to both frames; the other must not be empty.
    @inline(__always)
    func intersects(_ other: AxisFrame) -> Bool {
        along < other.alongEnd && other.along < alongEnd && across < other.acrossEnd && other.across < acrossEnd
            && alongExtent > 0 && acrossExtent > 0
    }
}

/// Insets by axis: before and after the content along the scroll axis, leading and trailing across it.
struct AxisInsets: Hashable, Sendable {
    let before: Int64
    let after: Int64
    let leading: Int64
    let trailing: Int64
}
