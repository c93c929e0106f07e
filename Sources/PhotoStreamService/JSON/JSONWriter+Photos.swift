public import PhotoStreamModel

extension JSONWriter {
    /// Writes a photo as an object that an import reads back as it was: width and height are the file's own.
    ///
    /// Fields without a value are left out.
    public mutating func value(_ photo: Photo) {
        object { writer in
            writer.key("id")
            writer.value(photo.id.rawValue)
            writer.ownSize(of: photo)
            if photo.orientation != .up { writer.member("orientation", photo.orientation.rawValue) }
            writer.fields(of: photo)
            writer.key("metrics")
            writer.value(photo.metricsSource.name)
        }
    }

    /// Writes the fields that are the same in every object that shows a photo, those with a value.
    mutating func fields(of photo: Photo, _ fields: ItemFields = .all) {
        if fields.contains(.takenAt) { member("takenAt", ifPresent: photo.takenAt?.description) }
        if fields.contains(.caption) { member("caption", ifPresent: photo.caption) }
        if fields.contains(.captionSource) { member("captionSource", ifPresent: photo.captionSource?.name) }
        if fields.contains(.alt) { member("alt", ifPresent: photo.alt) }
        if !photo.tags.isEmpty, fields.contains(.tags) {
            key("tags")
            array(photo.tags) { $0.value($1) }
        }
        if fields.contains(.location) { member("location", ifPresent: photo.location) }
        if let place = photo.coordinate {
            if fields.contains(.latitude) { member("latitude", place.latitude) }
            if fields.contains(.longitude) { member("longitude", place.longitude) }
        }
        if fields.contains(.contentHash) { member("contentHash", ifPresent: photo.contentHash) }
        if fields.contains(.placeholder) { member("placeholder", ifPresent: photo.placeholder) }
        if fields.contains(.color) { member("color", ifPresent: photo.color?.description) }
    }

    /// Writes the file's own width and height so that an import takes them for what they are.
    private mutating func ownSize(of photo: Photo) {
        let size = photo.ownSize
        switch photo.metricsSource {
        case .measured:
            member("width", size.width)
            member("height", size.height)
        case .ratio:
            // In tenths: not both sides are whole tens, so a decimal says again that only the ratio is meant.
            key("width")
            value(Double(size.width) / 10)
            key("height")
            value(Double(size.height) / 10)
        case .assumed:
            // Nobody's word: a record without a size says the same.
            return
        }
    }
}
