import PhotoStreamLayout
import PhotoStreamModel

/// Lengths in device pixels.
struct DocumentedLengths {
    let isSideways: Bool
    /// W, S, L and C of the pages.
    let available: Int128
    let spacing: Int128
    let lineSpacing: Int128
    let caption: Int128
    let before: Int128
    let after: Int128
    let header: Int128
    let footer: Int128
    /// The section insets along the scroll axis, the first of these, and that across at the start of reading.
    let sectionInsets: Int128
    let sectionBefore: Int128
    let sectionLeading: Int128
    /// The container without the content insets across.
    let width: Int128
    let isMirrored: Bool
    private let badge: (width: Int128, height: Int128)
    private let container: Int128
    private let leading: Int128
    private let scale: Double

    init(_ configuration: LayoutConfiguration) {
        scale = configuration.displayScale
        let isSideways = configuration.scrollDirection == .horizontal
        self.isSideways = isSideways
        isMirrored = configuration.layoutDirection == .rightToLeft
        func pixels(_ points: Double) -> Int128 {
            Int128((points * configuration.displayScale).rounded(.toNearestOrAwayFromZero))
        }
        /// The insets along and across, in reading direction.
        func inset(_ insets: EdgeInsets) -> (before: Int128, after: Int128, leading: Int128, trailing: Int128) {
            // The left inset is where reading begins, also from right to left.
            let (left, right) = (pixels(insets.left), pixels(insets.right))
            let (top, bottom) = (pixels(insets.top), pixels(insets.bottom))
            return isSideways ? (left, right, top, bottom) : (top, bottom, left, right)
        }
        let (content, section) = (inset(configuration.contentInset), inset(configuration.sections.inset))
        (before, after) = (content.before, content.after)
        let viewport = pixels(configuration.containerLength)
        let insets = content.leading + content.trailing + section.leading + section.trailing
        available = viewport - insets
        var container = viewport
        if case .map(let map) = configuration.algorithm {
            let item = max(1, pixels(map.itemSize.width))
            container = max(container, pixels(Double(256 << map.zoom)) + item + insets)
        }
        self.container = container
        width = container - content.leading - content.trailing
        (sectionBefore, sectionInsets) = (section.before, section.before + section.after)
        sectionLeading = section.leading
        leading = content.leading + section.leading
        header = pixels(configuration.sections.headerReferenceSize)
        footer = pixels(configuration.sections.footerReferenceSize)
        badge = (pixels(configuration.badgeSize.width), pixels(configuration.badgeSize.height))
        spacing = pixels(configuration.interitemSpacing)
        lineSpacing = pixels(configuration.lineSpacing)
        caption = pixels(configuration.captionExtent)
    }

    /// Converts a length and rounds it.
    func pixels(_ points: Double) -> Int128 { Int128((points * scale).rounded(.toNearestOrAwayFromZero)) }

    /// Maps a frame to the screen; right to left is the mirror image.
    func rect(_ frame: DocumentedLine.Frame, along: Int128, content: Int128) -> PixelRect {
        let across = leading + frame.across
        var (x, y, width, height) =
            isSideways
            ? (along, across, frame.alongExtent, frame.acrossExtent)
            : (across, along, frame.acrossExtent, frame.alongExtent)
        if isMirrored { x = (isSideways ? content : container) - x - width }
        return PixelRect(x: Int64(x), y: Int64(y), width: Int64(width), height: Int64(height))
    }

    /// Returns the frame of a photo's badge, in its trailing top corner.
    func badge(on photo: PixelRect) -> PixelRect? {
        guard badge.width > 0, badge.height > 0 else { return nil }
        let width = min(Int64(badge.width), photo.width)
        return PixelRect(
            x: isMirrored ? photo.x : photo.x + photo.width - width, y: photo.y, width: width,
            height: min(Int64(badge.height), photo.height))
    }

    /// Returns a quotient of positive numbers, rounded half up.
    static func nearest(_ dividend: Int128, over divisor: Int128) -> Int128 {
        (2 * dividend + divisor) / (2 * divisor)
    }
}
