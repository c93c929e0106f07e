extension PhotoField {
    /// Every field, also those of a newer version of the program.
    public static let all = PhotoField(rawValue: .max)

    /// The fields by the names that clients use, in the order of their bits.
    package static let named: [(name: String, field: PhotoField)] = [
        ("size", .size), ("orientation", .orientation), ("takenAt", .takenAt), ("caption", .caption), ("alt", .alt),
        ("tags", .tags), ("location", .location), ("position", .coordinate), ("contentHash", .contentHash),
        ("placeholder", .placeholder), ("color", .color),
    ]

    /// The names of the fields in the set.
    package var names: [String] { Self.named.lazy.filter { isSuperset(of: $0.field) }.map(\.name) }

    /// Creates the set of fields with some names.
    ///
    /// - Throws: ``ModelError`` that lists the names of all fields, for any other name.
    package init(names: [String]) throws(ModelError) {
        self = []
        for name in names {
            guard let field = Self.named.first(where: { $0.name == name })?.field else {
                let known = Self.named.map(\.name).joined(separator: ", ")
                throw ModelError("there is no field \"\(name)\"; the fields are \(known)")
            }
            formUnion(field)
        }
    }
}

extension Photo {
    /// Returns the photo with fields that count as imported again: the next import may change them.
    ///
    /// The values stay, because those that a person has replaced are not stored.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The photo.
    public func resettingEdits(of fields: PhotoField) -> Photo {
        var photo = self
        photo.editedFields.subtract(fields)
        if fields.isSuperset(of: .caption), captionSource == .person { photo.captionSource = .imported }
        return photo
    }
}
