import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Draws a layout as SVG, in points: the content and its inset, all elements in zIndex order, and a footer.
struct SVGDrawing {
    private static let fonts = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

    private let picture: LayoutPicture
    private let scale: DisplayScale

    /// Prepares a drawing.
    init(_ picture: LayoutPicture) {
        self.picture = picture
        scale = picture.context.layoutKey.displayScale
    }

    /// Returns the height of the footer, by which a picture is taller than the visible region.
    static func footerHeight(width: Double) -> Double { (Footer.fontSize(width: width) * 2.6).rounded(.up) }

    /// The size of the picture in points.
    var size: Size {
        let region = picture.region
        return Size(width: region.width, height: region.height + Self.footerHeight(width: region.width))
    }

    /// The picture as SVG.
    var svg: String {
        var writer = SVGWriter()
        let region = picture.region
        writer.open(
            "svg",
            attributes: [
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

    /// Draws photos and other elements, lower levels first.
    private func drawElements(in writer: inout SVGWriter) {
        let key = picture.context.layoutKey
        // Within one level, photos come first. On a map each photo has its own level.
        let items = Dictionary(grouping: picture.items, by: \.attributes.zIndex)
        let elements = Dictionary(grouping: picture.elements, by: \.zIndex)
        // Backgrounds are below the world, everything else is above it.
        var isWorldDrawn = false
        for level in Set(items.keys).union(elements.keys).sorted() {
            if level >= 0, !isWorldDrawn {
                WorldDrawing(key)?.draw(in: &writer)
                isWorldDrawn = true
            }
            for item in items[level] ?? [] {
                CellDrawing(item, key: key, thumbnail: picture.thumbnails[item.id]).draw(in: &writer)
            }
            for element in elements[level] ?? [] { ElementDrawing(element, in: picture).draw(in: &writer) }
        }
        if !isWorldDrawn { WorldDrawing(key)?.draw(in: &writer) }
    }

    /// Draws the content background and the inset.
    private func drawPage(in writer: inout SVGWriter) {
        let (key, region) = (picture.context.layoutKey, picture.region)
        let (content, inset) = (scale.points(picture.context.contentSize), key.contentInset)
        let isInset = inset.top + inset.left + inset.bottom + inset.right > 0
        writer.element("rect", attributes: rect(region, fill: isInset ? "#f1e7d3" : "#fbfbfa"))
        guard isInset else { return }
        // Right-to-left content is a mirror image, including insets.
        let left = key.layoutDirection == .rightToLeft ? inset.right : inset.left
        let inner = Rect(
            x: scale.points(left), y: scale.points(inset.top),
            width: max(0, content.width - scale.points(inset.left + inset.right)),
            height: max(0, content.height - scale.points(inset.top + inset.bottom)))
        writer.element("rect", attributes: rect(inner, fill: "#fbfbfa"))
        writer.element(
            "rect",
            attributes: [
                "x": inner.x.svg, "y": inner.y.svg, "width": inner.width.svg, "height": inner.height.svg,
                "fill": "none", "stroke": "#c9a45c", "stroke-width": "1", "stroke-dasharray": "4 3",
            ])
    }

    private func rect(_ rect: Rect, fill: String) -> KeyValuePairs<StaticString, String> {
        ["x": rect.x.svg, "y": rect.y.svg, "width": rect.width.svg, "height": rect.height.svg, "fill": fill]
    }
}

/// Draws the square of a map with meridians and parallels every thirty degrees.
struct WorldDrawing {
    private static let step = 30.0

    /// The square, in points.
    private let frame: Rect

    /// Prepares the drawing; `nil` if the layout is not a map.
    init?(_ key: LayoutKey) {
        guard let world = key.worldFrame else { return nil }
        frame = key.displayScale.points(world)
    }

    /// Draws the square.
    func draw(in writer: inout SVGWriter) {
        writer.open("g", attributes: ["class": "world"])
        writer.element(
            "rect",
            attributes: [
                "x": frame.x.svg, "y": frame.y.svg, "width": frame.width.svg, "height": frame.height.svg,
                "fill": "#e6eff5", "stroke": "#9fb6c6", "stroke-width": "1",
            ])
        for longitude in stride(from: -180 + Self.step, to: 180, by: Self.step) {
            guard let place = try? Coordinate(latitude: 0, longitude: longitude) else { continue }
            let x = frame.x + frame.width * part(WorldPosition(place).x)
            line(from: (x, frame.y), to: (x, frame.y + frame.height), isMain: longitude == 0, in: &writer)
        }
        for latitude in stride(from: -90 + Self.step, to: 90, by: Self.step) {
            guard let place = try? Coordinate(latitude: latitude, longitude: 0) else { continue }
            let y = frame.y + frame.height * part(WorldPosition(place).y)
            line(from: (frame.x, y), to: (frame.x + frame.width, y), isMain: latitude == 0, in: &writer)
        }
        writer.close("g")
    }

    /// Converts a coordinate to a fraction of the square's side.
    private func part(_ coordinate: UInt32) -> Double { Double(coordinate) / 0x1p32 }

    private func line(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), isMain: Bool, in writer: inout SVGWriter
    ) {
        writer.element(
            "path",
            attributes: [
                "d": "M\(start.x.svg) \(start.y.svg)L\(end.x.svg) \(end.y.svg)",
                "stroke": isMain ? "#8fb0c6" : "#c3d5e1",
                "stroke-width": isMain ? "1.5" : "1",
            ])
    }
}
