import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

extension PlacedPhoto {
    /// The columns of a table of placed photos.
    static let columns: [TextTable.Column] = [
        .number("index"), "photo", .number("x"), .number("y"), .number("width"), .number("height"), "taken",
        .wide("caption"),
    ]

    /// Returns the cells of the photo in such a table.
    func row(_ scale: DisplayScale) -> [String] {
        [String(attributes.index), photo.id.rawValue] + scale.texts(attributes.frame)
            + [photo.takenAt?.description ?? "", photo.caption ?? ""]
    }
}

extension LayoutAttributes {
    /// The columns of a table of elements other than photos.
    static let columns: [TextTable.Column] = [
        "element", .number("section"), .number("item"), .number("x"), .number("y"), .number("width"),
        .number("height"), .number("zIndex"),
    ]

    /// Returns the cells of the element in such a table.
    func row(_ scale: DisplayScale) -> [String] {
        [elementKind.name, String(indexPath.section), String(indexPath.item)] + scale.texts(frame) + [String(zIndex)]
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

    /// Formats the position and the size of a frame in points.
    func texts(_ frame: PixelRect) -> [String] { [frame.x, frame.y, frame.width, frame.height].map(pointsText) }

    /// Formats a frame in points, such as `0 44 234 156`.
    func text(_ frame: PixelRect) -> String { texts(frame).joined(separator: " ") }
}

extension GeographicBounds {
    /// The corners in the south-west and north-east, such as `38.69, -9.15 to 60.17, 24.94`.
    var text: String { "\(south), \(west) to \(north), \(east)" }
}

extension LayoutContext {
    /// The content size in points, such as `1200 × 8431 points`.
    var contentSizeText: String { layoutKey.displayScale.text(contentSize) }

    /// Stream, revision, condition, content size and layout key.
    var fields: FieldList {
        [
            "stream": stream.rawValue, "revision": revision.description, "state": revision.state,
            "where": condition?.canonicalText, "content size": contentSizeText, "layout key": layoutKey.description,
        ]
    }
}

extension PageContext {
    /// Stream, revision, condition, the content size if known, and the layout key.
    var fields: FieldList {
        [
            "stream": stream.rawValue, "revision": revision.description, "state": revision.state,
            "where": condition?.canonicalText,
            "content size": contentSize.map(layoutKey.displayScale.text), "layout key": layoutKey.description,
        ]
    }
}

extension Photo {
    /// The metadata of the photo.
    var fields: FieldList {
        var fields: FieldList = ["photo": id.rawValue]
        for field in PhotoField.allCases {
            switch field {
            case .size:
                fields.add("size", value: "\(pixelSize.width) × \(pixelSize.height)" + note(on: metricsSource))
            case .orientation: fields.add("orientation", value: orientation == .up ? nil : String(orientation.rawValue))
            case .takenAt:
                fields.add("taken", value: takenAt?.description)
                fields.add("taken from", value: takenAtSource?.name)
            case .coordinate: fields.add("position", value: coordinate.map { "\($0.latitude), \($0.longitude)" })
            case .color: fields.add("color", value: color?.description)
            case .stack:
                fields.add("stack", value: stack.map { "\($0.stack) (\($0.kind.name))" })
                fields.add("rank in the stack", value: stack.flatMap { $0.isHidden ? String($0.rank) : nil })
            case .flag(let flag): fields.add(flag.name.words(separator: " "), value: self[flag] ? "yes" : nil)
            case .text(let text):
                fields.add(text.name.words(separator: " "), value: self[text])
                if text == .caption { fields.add("caption by", value: captionSource?.name) }
            case .number(let number):
                fields.add(number.name.words(separator: " "), value: self[number].map(number.text))
            case .list(let list):
                let texts = self[list]
                fields.add(
                    list.name.words(separator: " "), value: texts.isEmpty ? nil : texts.joined(separator: ", "))
            }
        }
        fields.add("edited", value: editedFields.isEmpty ? nil : editedFields.names.joined(separator: ", "))
        return fields
    }

    /// The report of the photo.
    var report: Report {
        var report = Report { $0.value(self) }
        report.add(fields)
        return report
    }

    private func note(on source: MetricsSource) -> String {
        switch source {
        case .measured: ""
        case .ratio: " (a ratio)"
        case .assumed: " (assumed)"
        }
    }
}
