import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// The footer of a picture: a description, and a scale bar.
struct Footer {
    let picture: LayoutPicture

    /// Returns the font size for a picture's width.
    static func fontSize(width: Double) -> Double { min(max(width / 90, 9), 24) }

    /// Draws the footer below the region.
    func draw(in writer: inout SVGWriter, height: Double) {
        let region = picture.region
        let fontSize = Self.fontSize(width: region.width)
        let (top, margin) = (region.y + region.height, fontSize)
        writer.element(
            "rect",
            attributes: [
                "x": region.x.svg, "y": top.svg, "width": region.width.svg, "height": height.svg, "fill": "#22262d",
            ])
        let middle = top + height / 2
        let bar = barLength
        let label = "\(Int(bar)) points"
        let barX = region.x + region.width - margin - bar
        let labelX = barX - fontSize * 0.6 - CaptionText.width(of: label) * fontSize
        // Without room for both, the description is dropped first.
        guard labelX >= region.x + margin else { return }
        let width = labelX - 2 * margin - region.x
        if width > fontSize * 4 {
            let note = CaptionText(text, width: width / fontSize, maximumLines: 1)
            write(note.lines.first ?? "", at: region.x + margin, middle: middle, in: &writer)
        }
        write(label, at: labelX, middle: middle, in: &writer)
        let (left, right) = (barX.svg, (barX + bar).svg)
        let (upper, lower) = ((middle - fontSize * 0.35).svg, (middle + fontSize * 0.35).svg)
        writer.element(
            "path",
            attributes: [
                "d": "M\(left) \(upper)V\(lower)M\(left) \(middle.svg)H\(right)M\(right) \(upper)V\(lower)",
                "stroke": "#e7e9ec", "stroke-width": (fontSize / 9).svg, "fill": "none",
            ])
    }

    private func write(_ text: String, at x: Double, middle: Double, in writer: inout SVGWriter) {
        let fontSize = Self.fontSize(width: picture.region.width)
        let baseline = middle + fontSize * 0.36
        writer.element(
            "text", attributes: ["x": x.svg, "y": baseline.svg, "font-size": fontSize.svg, "fill": "#e7e9ec"],
            text: text)
    }

    /// The largest of 1, 2 and 5 times a power of ten that is at most a sixth of the width.
    private var barLength: Double {
        let lengths = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000].map(Double.init)
        return lengths.last { $0 <= picture.region.width / 6 } ?? 1
    }

    private var text: String {
        let key = picture.context.layoutKey
        let (region, scale) = (picture.region, key.displayScale)
        let content = scale.points(picture.context.contentSize)
        var parts = [picture.context.stream.rawValue, picture.items.count.counting("photo")]
        parts.append(key.algorithm.summary(scale))
        if key.scrollDirection == .horizontal { parts.append("horizontal") }
        if key.layoutDirection == .rightToLeft { parts.append("right-to-left") }
        if key.sections.sectioning != .none { parts.append("by \(key.sections.sectioning.rawValue)") }
        if region.width < content.width || region.height < content.height {
            parts.append("\(region.width.svg) × \(region.height.svg) at \(region.x.svg), \(region.y.svg)")
        }
        parts.append("content " + picture.context.contentSizeText)
        parts.append("scale \(scale)")
        return parts.joined(separator: "  ·  ")
    }
}

extension LayoutKey.Algorithm {
    /// Returns the algorithm and its main parameter in a few words.
    fileprivate func summary(_ scale: DisplayScale) -> String {
        switch self {
        case .masonry(let masonry):
            return "masonry, \(masonry.columnCount.counting("column")), \(masonry.columnChoice.rawValue)"
        case .flow(.uniform(let size)):
            return "flow of \(scale.pointsText(size.width)) × \(scale.pointsText(size.height))"
        case .flow(.height(let height)): return "flow, \(scale.pointsText(height)) high"
        case .flow(.own): return "flow of own sizes"
        case .justified(let justified):
            let breaks = justified.breaks == .greedy ? "" : ", optimal breaks"
            return "justified near \(scale.pointsText(justified.targetLineHeight))\(breaks)"
        case .grid(let grid): return "grid, \(grid.columnCount.counting("column"))"
        case .map(let map): return "map, zoom \(map.zoom)"
        case .placed(let rule): return rule.base.name
        }
    }
}
