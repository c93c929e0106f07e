import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

extension DisplayScale {
    /// A length of device pixels in points, written as JSON writes it.
    func pointsText(_ pixels: Int64) -> String {
        var writer = JSONWriter()
        writer.value(pixels: pixels, self)
        return writer.text
    }
}

extension LayoutContext {
    /// The content size in points, such as `1200 × 8431 points`.
    var contentSizeText: String {
        let scale = layoutKey.displayScale
        return "\(scale.pointsText(contentSize.width)) × \(scale.pointsText(contentSize.height)) points"
    }

    /// Stream, revision, key and content size as fields.
    func add(to fields: inout FieldList) {
        fields.add("stream", stream.rawValue)
        fields.add("revision", revision.description)
        fields.add("content size", contentSizeText)
        fields.add("layout key", layoutKey.description)
    }
}
