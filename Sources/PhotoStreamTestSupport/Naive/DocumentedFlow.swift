import PhotoStreamLayout
import PhotoStreamModel

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
