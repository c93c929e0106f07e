import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// A table of placed photos: index, id, frame, capture time and caption.
struct PlacedPhotoTable {
    private var table = TextTable([
        .number("index"), TextTable.Column(title: "photo"), .number("x"), .number("y"), .number("width"),
        .number("height"), TextTable.Column(title: "taken"), TextTable.Column(title: "caption", maximumWidth: 400),
    ])

    /// Formats more photos.
    mutating func text(_ items: [PlacedPhoto], scale: DisplayScale) -> String {
        table.text(
            items.map { item in
                let frame = item.attributes.frame
                return [String(item.attributes.index), item.photo.id.rawValue]
                    + [frame.x, frame.y, frame.width, frame.height].map { scale.pointsText($0) }
                    + [item.photo.takenAt?.description ?? "", item.photo.caption ?? ""]
            })
    }
}

/// A table of elements other than photos: kind, index path, frame and zIndex.
struct ElementTable {
    private var table = TextTable([
        TextTable.Column(title: "element"), .number("section"), .number("item"), .number("x"), .number("y"),
        .number("width"), .number("height"), .number("zIndex"),
    ])

    /// Formats elements.
    mutating func text(_ elements: [LayoutAttributes], scale: DisplayScale) -> String {
        table.text(
            elements.map { element in
                let (frame, path) = (element.frame, element.indexPath)
                return [element.elementKind.name, String(path.section), String(path.item)]
                    + [frame.x, frame.y, frame.width, frame.height].map { scale.pointsText($0) }
                    + [String(element.zIndex)]
            })
    }
}

/// A table of the sections of a layout: id, photos and frame.
struct SectionTable {
    private var table = TextTable([
        TextTable.Column(title: "section"), .number("first"), .number("photos"), .number("x"), .number("y"),
        .number("width"), .number("height"),
    ])

    /// Formats sections.
    mutating func text(_ sections: [SectionAnswer], scale: DisplayScale) -> String {
        table.text(
            sections.map { section in
                let frame = section.frame
                return [section.id, String(section.firstIndex), section.count.grouped]
                    + [frame.x, frame.y, frame.width, frame.height].map { scale.pointsText($0) }
            })
    }
}

extension DisplayScale {
    /// Formats a length in device pixels as points, as JSON does.
    func pointsText(_ pixels: Int64) -> String {
        var writer = JSONWriter()
        writer.value(pixels: pixels, scale: self)
        return writer.text
    }

    /// Formats an extent in points, such as `1200 × 8431 points`.
    func text(_ size: PixelExtent) -> String { "\(pointsText(size.width)) × \(pointsText(size.height)) points" }
}

extension LayoutContext {
    /// The content size in points, such as `1200 × 8431 points`.
    var contentSizeText: String { layoutKey.displayScale.text(contentSize) }

    /// Adds stream, revision, content size and layout key.
    func add(to fields: inout FieldList) {
        fields.add("stream", value: stream.rawValue)
        fields.add("revision", value: revision.description)
        fields.add("state", value: revision.state)
        fields.add("content size", value: contentSizeText)
        fields.add("layout key", value: layoutKey.description)
    }
}

extension PageContext {
    /// Adds stream, revision, the content size if known, and the layout key.
    func add(to fields: inout FieldList) {
        fields.add("stream", value: stream.rawValue)
        fields.add("revision", value: revision.description)
        fields.add("state", value: revision.state)
        fields.add("content size", value: contentSize.map(layoutKey.displayScale.text))
        fields.add("layout key", value: layoutKey.description)
    }
}

extension Photo {
    /// Adds the metadata of the photo.
    func add(to fields: inout FieldList) {
        fields.add("photo", value: id.rawValue)
        for field in PhotoField.allCases {
            switch field {
            case .size:
                fields.add("size", value: "\(pixelSize.width) × \(pixelSize.height)" + note(on: metricsSource))
            case .orientation: fields.add("orientation", value: orientation == .up ? nil : String(orientation.rawValue))
            case .takenAt: fields.add("taken", value: takenAt?.description)
            case .tags: fields.add("tags", value: tags.isEmpty ? nil : tags.joined(separator: ", "))
            case .coordinate: fields.add("position", value: coordinate.map { "\($0.latitude), \($0.longitude)" })
            case .color: fields.add("color", value: color?.description)
            case .text(let text):
                fields.add(text.name.words(separator: " "), value: self[text])
                if text == .caption { fields.add("caption by", value: captionSource?.name) }
            case .number(let number):
                fields.add(number.name.words(separator: " "), value: self[number].map(String.init))
            }
        }
        fields.add("edited", value: editedFields.isEmpty ? nil : editedFields.names.joined(separator: ", "))
    }

    private func note(on source: MetricsSource) -> String {
        switch source {
        case .measured: ""
        case .ratio: " (a ratio)"
        case .assumed: " (assumed)"
        }
    }
}
