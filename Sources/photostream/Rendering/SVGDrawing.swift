import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Draws a layout as an SVG picture, in points: the content and its inset, all elements in the order of their zIndex,
/// and a scale.
struct SVGDrawing {
    private static let fonts = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

    private let picture: LayoutPicture
    private let scale: DisplayScale

    /// Prepares a drawing.
    init(_ picture: LayoutPicture) {
        self.picture = picture
        scale = picture.context.layoutKey.displayScale
    }

    /// How much taller than the shown region a picture is: its note stands below.
    static func footerHeight(width: Double) -> Double { (Footer.fontSize(width: width) * 2.6).rounded(.up) }

    /// The size of the picture in points.
    var size: Size {
        let region = picture.region
        return Size(width: region.width, height: region.height + Self.footerHeight(width: region.width))
    }

    /// The picture.
    var svg: String {
        var writer = SVGWriter()
        let region = picture.region
        writer.open(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": size.width.svg, "height": size.height.svg,
                "viewBox": [region.x, region.y, size.width, size.height].map(\.svg).joined(separator: " "),
                "font-family": Self.fonts,
            ])
        writer.element("title", text: "\(picture.context.stream), \(picture.context.layoutKey)")
        drawPage(in: &writer)
        drawElements(in: &writer)
        Footer(picture: picture).draw(in: &writer, height: Self.footerHeight(width: region.width))
        writer.close("svg")
        return writer.text
    }

    /// Photos and other elements, what lies lower first.
    private func drawElements(in writer: inout SVGWriter) {
        let key = picture.context.layoutKey
        // By level; of one level photos come first. On a map each photo has a level of its own.
        let items = Dictionary(grouping: picture.items, by: \.attributes.zIndex)
        let elements = Dictionary(grouping: picture.elements, by: \.zIndex)
        // Backgrounds lie below all, the world above them.
        var isWorldDrawn = false
        for level in Set(items.keys).union(elements.keys).sorted() {
            if level >= 0, !isWorldDrawn {
                WorldDrawing(key)?.draw(in: &writer)
                isWorldDrawn = true
            }
            for item in items[level] ?? [] { CellDrawing(item, key).draw(in: &writer) }
            for element in elements[level] ?? [] { ElementDrawing(element, in: picture).draw(in: &writer) }
        }
        if !isWorldDrawn { WorldDrawing(key)?.draw(in: &writer) }
    }

    /// The content and, in another tone, its inset.
    private func drawPage(in writer: inout SVGWriter) {
        let (key, region) = (picture.context.layoutKey, picture.region)
        let (content, inset) = (scale.points(picture.context.contentSize), key.contentInset)
        let isInset = inset.top + inset.left + inset.bottom + inset.right > 0
        writer.element("rect", rect(region, fill: isInset ? "#f1e7d3" : "#fbfbfa"))
        guard isInset else { return }
        // Right-to-left is the mirror image, insets included.
        let left = key.layoutDirection == .rightToLeft ? inset.right : inset.left
        let inner = Rect(
            x: scale.points(left), y: scale.points(inset.top),
            width: max(0, content.width - scale.points(inset.left + inset.right)),
            height: max(0, content.height - scale.points(inset.top + inset.bottom)))
        writer.element("rect", rect(inner, fill: "#fbfbfa"))
        writer.element(
            "rect",
            [
                "x": inner.x.svg, "y": inner.y.svg, "width": inner.width.svg, "height": inner.height.svg,
                "fill": "none", "stroke": "#c9a45c", "stroke-width": "1", "stroke-dasharray": "4 3",
            ])
    }

    private func rect(_ rect: Rect, fill: String) -> KeyValuePairs<StaticString, String> {
        ["x": rect.x.svg, "y": rect.y.svg, "width": rect.width.svg, "height": rect.height.svg, "fill": fill]
    }
}
