extension Photo {
    /// Who applies a record.
    public enum Author: Sendable {
        /// An import: fields that a person edited stay as they are.
        case importer
        /// A person: the fields that the record names are marked as edited.
        case person
    }

    /// The photo that `record` makes of `stored`.
    ///
    /// A field that the record lacks keeps its value. Width and height are the file's own, so a new orientation swaps
    /// the stored sides too. Without any size the photo is 3 by 2 in the file's own orientation, marked assumed.
    ///
    /// - Parameters:
    ///   - record: What the source or the person says; its id is the photo's.
    ///   - stored: The photo as it stands, or `nil` for a new one.
    ///   - author: Whose word it is.
    /// - Returns: The photo afterwards.
    public static func applying(_ record: PhotoRecord, to stored: Photo?, by author: Author) -> Photo {
        var photo = stored ?? Photo(id: record.id)
        var named: PhotoField = []
        let locked = author == .importer ? photo.editedFields : []

        func apply<Value>(_ change: FieldChange<Value>, _ field: PhotoField, _ assign: (Value?) -> Void) {
            guard !locked.contains(field) else { return }
            switch change {
            case .keep: return
            case .clear: assign(nil)
            case .set(let value): assign(value)
            }
            named.insert(field)
        }

        var ownSize = photo.ownSize
        apply(record.size, .size) { size in
            ownSize = size?.pixelSize ?? .assumed
            photo.metricsSource = size?.source ?? .assumed
        }
        apply(record.orientation, .orientation) { photo.orientation = $0 ?? .up }
        photo.pixelSize = ownSize.applying(photo.orientation)
        apply(record.takenAt, .takenAt) { photo.takenAt = $0 }
        apply(record.caption, .caption) { caption in
            photo.caption = caption.flatMap { $0.isBlank ? nil : $0 }
            photo.captionSource = photo.caption == nil ? nil : (author == .person ? .person : .imported)
        }
        apply(record.alt, .alt) { photo.alt = $0 }
        apply(record.tags, .tags) { photo.tags = $0 ?? [] }
        apply(record.location, .location) { photo.location = $0 }
        apply(record.coordinate, .coordinate) { photo.coordinate = $0 }
        apply(record.contentHash, .contentHash) { photo.contentHash = $0 }
        apply(record.placeholder, .placeholder) { photo.placeholder = $0 }
        apply(record.color, .color) { photo.color = $0 }
        if author == .person { photo.editedFields.formUnion(named) }
        return photo
    }
}

extension String {
    /// Whether there is nothing in it but white space, scalar by scalar, as SQL's `trim` looks at it.
    package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
