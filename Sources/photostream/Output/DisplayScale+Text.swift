import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

extension DisplayScale {
    /// A length of device pixels in points, written as JSON writes it.
    func pointsText(_ pixels: Int64) -> String {
        var writer = JSONWriter()
        writer.value(pixels: pixels, scale: self)
        return writer.text
    }

    /// An extent in points, such as `1200 × 8431 points`.
    func text(_ size: PixelExtent) -> String { "\(pointsText(size.width)) × \(pointsText(size.height)) points" }
}

extension LayoutContext {
    /// The content size in points, such as `1200 × 8431 points`.
    var contentSizeText: String { layoutKey.displayScale.text(contentSize) }

    /// Stream, revision, key and content size as fields.
    func add(to fields: inout FieldList) {
        fields.add("stream", stream.rawValue)
        fields.add("revision", revision.description)
        fields.add("content size", contentSizeText)
        fields.add("layout key", layoutKey.description)
    }
}

extension PageContext {
    /// Stream, revision and key as fields; the content size where a page has it.
    func add(to fields: inout FieldList) {
        fields.add("stream", stream.rawValue)
        fields.add("revision", revision.description)
        fields.add("content size", contentSize.map(layoutKey.displayScale.text))
        fields.add("layout key", layoutKey.description)
    }
}
