package import PhotoStreamLayout
package import PhotoStreamModel

/// A line layout, written from `Documentation/Layouts/Justified.md` and `Flow.md` alone.
///
/// It supports one undivided section, scrolling vertically or horizontally from the left.
package struct DocumentedLayout {
    /// The frame of every photo; `nil` for a hidden one.
    package let frames: [PixelRect?]
    /// The content size along the scroll axis.
    package let extent: Int64
    /// The number of lines.
    package let lineCount: Int

    /// Lays out photos in justified lines or in a flow.
    package init?(_ configuration: LayoutConfiguration, items: [ItemMetrics]) {
        let lengths = DocumentedLengths(configuration)
        let lines: [DocumentedLine]
        switch configuration.algorithm {
        case .justified(let parameters):
            lines = DocumentedJustified(lengths, parameters: parameters, items: items).lines
        case .flow(let parameters): lines = DocumentedFlow(lengths, parameters: parameters, items: items).lines
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

/// A line with its photos.
struct DocumentedLine {
    var frames: [Frame] = []
    var thickness: Int128 = 0
    var isHidden = false

    /// The frame of a photo, along from the line's top, across from the leading insets.
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
    /// W, S, L and C of the pages.
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

    /// Converts a length and rounds it.
    func pixels(_ points: Double) -> Int128 { Int128((points * scale).rounded(.toNearestOrAwayFromZero)) }

    func rect(_ frame: DocumentedLine.Frame, along: Int128) -> PixelRect {
        let across = leading + frame.across
        return isSideways
            ? PixelRect(
                x: Int64(along), y: Int64(across), width: Int64(frame.alongExtent), height: Int64(frame.acrossExtent))
            : PixelRect(
                x: Int64(across), y: Int64(along), width: Int64(frame.acrossExtent), height: Int64(frame.alongExtent))
    }

    /// Returns a quotient of positive numbers, rounded half up.
    static func nearest(_ dividend: Int128, over divisor: Int128) -> Int128 {
        (2 * dividend + divisor) / (2 * divisor)
    }
}

/// A flow layout, written from `Documentation/Layouts/Flow.md` alone.
struct DocumentedFlow {
    private(set) var lines: [DocumentedLine] = []
    private let lengths: DocumentedLengths
    private let parameters: FlowParameters

    private struct Photo {
        let length: Int128
        let depth: Int128
        let hasCaption: Bool
    }

    init(_ lengths: DocumentedLengths, parameters: FlowParameters, items: [ItemMetrics]) {
        (self.lengths, self.parameters) = (lengths, parameters)
        var line: [Photo] = []
        for photo in items.map(photo) {
            let sum = line.reduce(photo.length) { $0 + $1.length } + Int128(line.count) * lengths.spacing
            if !line.isEmpty, sum > lengths.available {
                lines.append(placed(line, isLast: false))
                line = []
            }
            line.append(photo)
        }
        if !line.isEmpty { lines.append(placed(line, isLast: true)) }
    }

    private func photo(_ item: ItemMetrics) -> Photo {
        let picture = picture(width: Int128(item.pixelSize.width), height: Int128(item.pixelSize.height))
        let (across, along) =
            lengths.isSideways ? (picture.height, picture.width) : (picture.width, picture.height)
        let more = lengths.isSideways && item.hasCaption ? lengths.caption : 0
        return Photo(length: across + more, depth: along, hasCaption: item.hasCaption)
    }

    private func picture(width: Int128, height: Int128) -> (width: Int128, height: Int128) {
        switch parameters.itemSize {
        case .uniform(let size): return (max(1, lengths.pixels(size.width)), max(1, lengths.pixels(size.height)))
        case .height(let points):
            let pixels = max(1, lengths.pixels(points))
            return (max(1, DocumentedLengths.nearest(pixels * width, over: height)), pixels)
        case .own: return (max(1, lengths.pixels(Double(width))), max(1, lengths.pixels(Double(height))))
        }
    }

    private func placed(_ photos: [Photo], isLast: Bool) -> DocumentedLine {
        var line = DocumentedLine()
        let greatest = photos.map(\.depth).max() ?? 0
        var before: Int128 = 0
        for (position, photo) in photos.enumerated() {
            let caption = !lengths.isSideways && photo.hasCaption ? lengths.caption : 0
            line.frames.append(
                DocumentedLine.Frame(
                    along: (greatest - photo.depth) / 2, across: before + gap(of: position, in: photos, isLast: isLast),
                    alongExtent: photo.depth + caption, acrossExtent: photo.length))
            before += photo.length
        }
        line.thickness = greatest
        if !lengths.isSideways, let captioned = photos.filter(\.hasCaption).map(\.depth).max() {
            line.thickness = max(greatest, (greatest - captioned) / 2 + captioned + lengths.caption)
        }
        return line
    }

    private func gap(of position: Int, in photos: [Photo], isLast: Bool) -> Int128 {
        let (available, spacing, position) = (lengths.available, lengths.spacing, Int128(position))
        if isLast, areAlike {
            let length = photos[0].length
            let full = max(1, (available + spacing) / (length + spacing))
            let rest = max(0, available - full * length)
            return full == 1 ? rest / 2 : position * rest / (full - 1)
        }
        let rest = max(0, available - photos.reduce(0) { $0 + $1.length })
        if photos.count == 1 { return rest / 2 }
        return isLast ? position * spacing : position * rest / Int128(photos.count - 1)
    }

    private var areAlike: Bool {
        guard case .uniform = parameters.itemSize else { return false }
        return !lengths.isSideways || lengths.caption == 0
    }
}
