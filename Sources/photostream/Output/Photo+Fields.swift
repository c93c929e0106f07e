import PhotoStreamModel

extension Photo {
    /// What is known of the photo, as fields.
    func add(to fields: inout FieldList) {
        fields.add("photo", id.rawValue)
        fields.add("size", "\(pixelSize.width) × \(pixelSize.height)" + note(on: metricsSource))
        fields.add("orientation", orientation == .up ? nil : String(orientation.rawValue))
        fields.add("taken", takenAt?.description)
        fields.add("caption", caption)
        fields.add("caption by", captionSource?.name)
        fields.add("alt", alt)
        fields.add("tags", tags.isEmpty ? nil : tags.joined(separator: ", "))
        fields.add("location", location)
        fields.add("position", coordinate.map { "\($0.latitude), \($0.longitude)" })
        fields.add("content hash", contentHash)
        fields.add("placeholder", placeholder)
        fields.add("color", color?.description)
    }

    private func note(on source: MetricsSource) -> String {
        switch source {
        case .measured: ""
        case .ratio: " (a ratio)"
        case .assumed: " (assumed)"
        }
    }
}
