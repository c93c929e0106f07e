package import PhotoStreamLayout
package import PhotoStreamModel

/// A line layout as `Documentation/Layouts/Justified.md` and `Flow.md` say how it is computed, written from these pages
/// alone: one undivided section, content that scrolls down or sideways from the left.
package struct DocumentedLayout {
    /// The frame of every photo; `nil` for one that is left out.
    package let frames: [PixelRect?]
    /// The content along the scroll axis.
    package let extent: Int64
    /// How many lines there are.
    package let lineCount: Int

    /// Lays photos out in justified lines or in a flow.
    package init?(_ configuration: LayoutConfiguration, items: [ItemMetrics]) {
        let lengths = DocumentedLengths(configuration)
        let lines: [DocumentedLine]
        switch configuration.algorithm {
        case .justified(let parameters):
            lines = DocumentedJustified(lengths, parameters, items).lines
        case .flow(let parameters): lines = DocumentedFlow(lengths, parameters, items).lines
        default: return nil
        }
        var frames: [PixelRect?] = []
        var (top, end) = (lengths.before, lengths.before)
        for line in lines {
            frames += line.frames.map { frame in
                line.isHidden ? nil : lengths.rect(frame, along: top + frame.along)
            }
            guard !line.isHidden else { continue }
            end = top + line.thickness
            top = end + lengths.lineSpacing
        }
        self.frames = frames
        extent = Int64(end + lengths.after)
        lineCount = lines.count
    }
}

/// A line and what stands in it.
struct DocumentedLine {
    var frames: [Frame] = []
    var thickness: Int128 = 0
    var isHidden = false

    /// Where a photo stands, along from the line's top, across from the leading insets.
    struct Frame {
        var along: Int128 = 0
        var across: Int128 = 0
        var alongExtent: Int128 = 0
        var acrossExtent: Int128 = 0
    }
}

/// Lengths in device pixels.
struct DocumentedLengths {
    let isSideways: Bool
    /// W, S, L and C.
    let available: Int128
    let spacing: Int128
    let lineSpacing: Int128
    let caption: Int128
    let before: Int128
    let after: Int128
    private let leading: Int128
    private let scale: Double

    init(_ configuration: LayoutConfiguration) {
        scale = configuration.displayScale
        isSideways = configuration.scrollDirection == .horizontal
        func pixels(_ points: Double) -> Int128 {
            Int128((points * configuration.displayScale).rounded(.toNearestOrAwayFromZero))
        }
        let insets = configuration.contentInset
        let (left, right, top, bottom) = (
            pixels(insets.left), pixels(insets.right), pixels(insets.top), pixels(insets.bottom)
        )
        (before, after) = isSideways ? (left, right) : (top, bottom)
        leading = isSideways ? top : left
        available = pixels(configuration.containerLength) - leading - (isSideways ? bottom : right)
        spacing = pixels(configuration.interitemSpacing)
        lineSpacing = pixels(configuration.lineSpacing)
        caption = pixels(configuration.captionExtent)
    }

    /// A length, rounded by itself.
    func pixels(_ points: Double) -> Int128 { Int128((points * scale).rounded(.toNearestOrAwayFromZero)) }

    func rect(_ frame: DocumentedLine.Frame, along: Int128) -> PixelRect {
        let across = leading + frame.across
        return isSideways
            ? PixelRect(
                x: Int64(along), y: Int64(across), width: Int64(frame.alongExtent), height: Int64(frame.acrossExtent))
            : PixelRect(
                x: Int64(across), y: Int64(along), width: Int64(frame.acrossExtent), height: Int64(frame.alongExtent))
    }

    /// The nearest whole number to a quotient of positive numbers, half up.
    static func nearest(_ dividend: Int128, over divisor: Int128) -> Int128 {
        (2 * dividend + divisor) / (2 * divisor)
    }
}
