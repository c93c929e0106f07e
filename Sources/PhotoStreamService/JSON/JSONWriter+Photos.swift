public import PhotoStreamModel

extension JSONWriter {
    /// Writes a photo as an object that an import reads back as it was: width and height are the file's own.
    ///
    /// Fields without a value are left out.
    public mutating func value(_ photo: Photo) {
        PackedPhoto(photo).withFields { photo in
            object { writer in
                writer.member("id", photo.id)
                writer.encodedSize(of: photo)
                if photo.orientation != .up { writer.member("orientation", photo.orientation.rawValue) }
                writer.fields(of: photo)
                writer.member("metrics", photo.metricsSource.name)
            }
        }
    }

    /// Writes the fields that are the same in every object that shows a photo, those with a value.
    mutating func fields(of photo: PackedPhotoFields, _ fields: ItemFields = .all) {
        if let time = photo.takenAt, fields.contains(.takenAt) {
            member("takenAt", time)
            // What the digits of a day or better tell is not told twice: pages are full of times.
            if time.precision < .day { member("takenAtPrecision", time.precision.name) }
        }
        if let caption = photo.caption, fields.contains(.caption) { member("caption", caption) }
        if let source = photo.captionSource, fields.contains(.captionSource) { member("captionSource", source.name) }
        if let alt = photo.alt, fields.contains(.alt) { member("alt", alt) }
        if !photo.tags.isEmpty, fields.contains(.tags) {
            key("tags")
            array(photo.tags) { $0.value($1) }
        }
        if let location = photo.location, fields.contains(.location) { member("location", location) }
        if let place = photo.coordinate {
            if fields.contains(.latitude) { member("latitude", place.latitude) }
            if fields.contains(.longitude) { member("longitude", place.longitude) }
        }
        if let hash = photo.contentHash, fields.contains(.contentHash) { member("contentHash", hash) }
        if let placeholder = photo.placeholder, fields.contains(.placeholder) { member("placeholder", placeholder) }
        if let color = photo.color, fields.contains(.color) { member("color", color.description) }
    }

    /// Writes the file's own width and height so that an import takes them for what they are.
    private mutating func encodedSize(of photo: PackedPhotoFields) {
        let size = photo.pixelSize.applying(photo.orientation)
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
