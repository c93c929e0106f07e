public import PhotoStreamModel

extension JSONWriter {
    /// Writes a photo as an object that an import reads back as it was: width and height are the file's own.
    ///
    /// Fields without a value are left out.
    public mutating func value(_ photo: Photo) {
        object { writer in
            writer.key("id")
            writer.value(photo.id.rawValue)
            // An assumed size is nobody's word: a record without one says the same.
            if photo.metricsSource != .assumed {
                writer.member("width", photo.ownSize.width)
                writer.member("height", photo.ownSize.height)
            }
            if photo.orientation != .up { writer.member("orientation", photo.orientation.rawValue) }
            writer.fields(of: photo)
            writer.key("metrics")
            writer.value(photo.metricsSource.name)
        }
    }

    /// Writes the fields that are the same in every object that shows a photo, those with a value.
    mutating func fields(of photo: Photo) {
        member("takenAt", photo.takenAt?.description)
        member("caption", photo.caption)
        member("captionSource", photo.captionSource?.name)
        member("alt", photo.alt)
        if !photo.tags.isEmpty {
            key("tags")
            array(photo.tags) { $0.value($1) }
        }
        member("location", photo.location)
        if let place = photo.coordinate {
            key("latitude")
            value(place.latitude)
            key("longitude")
            value(place.longitude)
        }
        member("contentHash", photo.contentHash)
        member("placeholder", photo.placeholder)
        member("color", photo.color?.description)
    }

    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        value(text)
    }

    mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
        key(name)
        value(number)
    }
}
