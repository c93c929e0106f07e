import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Draws a layout as SVG, in points: a box for each photo and element, lower levels first.
struct SVGDrawing {
    private static let fonts = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

    private let picture: LayoutPicture
    private let key: LayoutKey
    private let scale: DisplayScale

    init(_ picture: LayoutPicture) {
        self.picture = picture
        key = picture.context.layoutKey
        scale = key.displayScale
    }

    var svg: String {
        var writer = SVGWriter()
        let region = picture.region
        writer.group(
            "svg",
            attributes: [
                "xmlns": "http://www.w3.org/2000/svg", "width": region.width.svg, "height": region.height.svg,
                "viewBox": region.viewBox, "font-family": Self.fonts,
            ]
        ) { writer in
            writer.element("title", text: "\(picture.context.stream), \(key)")
            drawPage(in: &writer)
            drawElements(in: &writer)
        }
        return writer.text
    }

    /// Draws the content and its inset.
    private func drawPage(in writer: inout SVGWriter) {
        let (content, inset) = (scale.points(picture.context.contentSize), key.contentInset)
        writer.box(picture.region, fill: "#f1e7d3")
        // Right-to-left content is a mirror image, including insets.
        let left = key.layoutDirection == .rightToLeft ? inset.right : inset.left
        let inner = Rect(
            x: scale.points(left), y: scale.points(inset.top),
            width: max(0, content.width - scale.points(inset.left + inset.right)),
            height: max(0, content.height - scale.points(inset.top + inset.bottom)))
        writer.box(inner, fill: "#fbfbfa")
    }

    /// Draws photos and other elements, lower levels first.
    private func drawElements(in writer: inout SVGWriter) {
        // Within one level, photos come first. On a map each photo has its own level.
        let items = Dictionary(grouping: picture.items, by: \.attributes.zIndex)
        let elements = Dictionary(grouping: picture.elements, by: \.zIndex)
        // Backgrounds are below the world of a map, everything else is above it.
        var world = key.worldFrame.map(scale.points)
        for level in Set(items.keys).union(elements.keys).sorted() + [Int.max] {
            if level >= 0, let frame = world {
                writer.group("g", attributes: ["class": "world"]) { $0.box(frame, fill: "#e6eff5") }
                world = nil
            }
            for item in items[level] ?? [] { draw(item, in: &writer) }
            for element in elements[level] ?? [] { draw(element, in: &writer) }
        }
    }

    /// Draws a photo with its index, its caption and a tooltip.
    private func draw(_ item: PlacedPhoto, in writer: inout SVGWriter) {
        let frame = scale.points(item.attributes.frame)
        let captionHeight = scale.points(item.attributes.captionExtent)
        let image = Rect(x: frame.x, y: frame.y, width: frame.width, height: max(0, frame.height - captionHeight))
        let name = "\(item.attributes.index)  \(item.id)"
        let title = item.photo.caption.map { name + "  " + $0 } ?? name
        writer.group("g", attributes: ["class": item.attributes.elementKind.name], title: title) { writer in
            writer.box(image, fill: item.fill)
            if let thumbnail = picture.thumbnails[item.id] { writer.image(jpeg: thumbnail, in: image) }
            if let caption = item.photo.caption, captionHeight > 0 {
                let area = Rect(x: frame.x, y: frame.y + image.height, width: frame.width, height: captionHeight)
                writer.box(area, fill: "#e9edf1")
                writer.label(caption, in: area, size: min(12, max(7, frame.width / 15), captionHeight / 1.5))
            }
            let index = String(item.attributes.index)
            let size = min(11, max(4, frame.width / 8), image.height * 0.6, frame.width / Double(index.count) * 1.3)
            guard size >= 2 else { return }
            let width = (Double(index.count) * 0.6 + 0.8) * size
            let x = key.layoutDirection == .rightToLeft ? frame.x + frame.width - width : frame.x
            let tag = Rect(x: x, y: frame.y, width: width, height: size * 1.4)
            writer.box(tag, fill: "#22262d")
            writer.label(index, in: tag, size: size, ink: "#ffffff")
        }
    }

    /// Draws an element other than a photo, with a tooltip.
    private func draw(_ element: LayoutAttributes, in writer: inout SVGWriter) {
        let (frame, position) = (scale.points(element.frame), element.indexPath.section)
        let section = picture.sections.indices.contains(position) ? picture.sections[position] : nil
        let title = "\(element.elementKind.name)  \(element.indexPath.text)  \(section?.id ?? "")"
        writer.group("g", attributes: ["class": element.elementKind.name], title: title) { writer in
            writer.box(frame, fill: element.elementKind.fill)
            let count = (section?.count ?? 0).counting("photo")
            switch element.elementKind {
            case .sectionHeader:
                let name = section?.title(in: picture.context.stream)
                band(name.map { "\($0)  ·  \(count)" } ?? count, in: frame, size: 18, writer: &writer)
            case .sectionFooter: band(count, in: frame, size: 13, writer: &writer)
            default: break
            }
        }
    }

    /// Writes the text of a header or footer, which reads downwards in horizontally scrolling content.
    private func band(_ text: String, in frame: Rect, size: Double, writer: inout SVGWriter) {
        guard key.scrollDirection == .horizontal else {
            return writer.label(text, in: frame, size: min(size, frame.height * 0.56))
        }
        let turned = Rect(x: 0, y: -frame.width, width: frame.height, height: frame.width)
        let transform = "translate(\(frame.x.svg) \(frame.y.svg)) rotate(90)"
        writer.group("g", attributes: ["transform": transform]) {
            $0.label(text, in: turned, size: min(size, frame.width * 0.56))
        }
    }
}

extension PlacedPhoto {
    /// The colour of the photo, that of its picture, or one derived from its id.
    fileprivate var fill: String {
        if let color = photo.color ?? picture?.color { return color.description }
        let hash = FNV1a.hash(id.rawValue.utf8)
        return "hsl(\(hash % 360), \(28 + hash >> 16 % 17)%, \(56 + hash >> 32 % 14)%)"
    }
}

extension ElementKind {
    fileprivate var fill: String {
        switch self {
        case .sectionHeader: "#dfe6ef"
        case .sectionFooter: "#edf1f6"
        case .sectionBackground: "#e5def5"
        case .badge: "#d6455d"
        default: "#aab3bf"
        }
    }
}

extension SectionAnswer {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns the title of the section's header.
    ///
    /// - Parameter stream: The stream's name, the title of an undivided stream.
    /// - Returns: The title, such as `21 November 2026`, `November 2026`, `2026`, `Undated` or `Map`.
    fileprivate func title(in stream: StreamName) -> String {
        let parts = id.split(separator: "-").compactMap { Int($0) }
        let month = parts.count > 1 ? Self.months[(parts[1] + 11) % 12] : ""
        switch parts.count {
        case 3: return "\(parts[2]) \(month) \(parts[0])"
        case 2: return "\(month) \(parts[0])"
        case 1: return String(parts[0])
        default: return ["undated": "Undated", "located": "Map", "unlocated": "Without a place"][id] ?? stream.rawValue
        }
    }
}
