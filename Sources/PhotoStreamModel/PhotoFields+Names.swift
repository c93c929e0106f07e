extension PhotoField {
    /// The names of all fields, as clients use them, in the order of their bits.
    package static let names = allCases.map(\.row.name.description)
}

extension PhotoFields {
    /// Every field, including those of a newer version of the program.
    public static let all = PhotoFields(rawValue: .max)

    /// The names of the fields in the set.
    package var names: [String] { PhotoField.allCases.filter(contains).map(\.row.name.description) }

    /// Creates the set of fields with some names.
    ///
    /// - Throws: ``ModelError`` that lists the names of all fields, for any other name.
    package init(names: [String]) throws(ModelError) {
        self = []
        for name in names {
            guard let field = PhotoField.allCases.first(where: { $0.row.name.description == name }) else {
                let known = PhotoField.names.joined(separator: ", ")
                throw ModelError("there is no field \"\(name)\"; the fields are \(known)")
            }
            insert(field)
        }
    }
}

extension Photo {
    /// Returns the photo with fields that count as imported again: the next import may change them.
    ///
    /// The values stay, because those that a person has replaced are not stored. If the photo has a file, they count as
    /// the file's, so that both a record and the file may change them.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The photo.
    public func resettingEdits(of fields: PhotoFields) -> Photo {
        var photo = self
        let reset = editedFields.intersection(fields)
        photo.editedFields.subtract(fields)
        if hasFile {
            photo.clearedFields.subtract(reset)
            photo.fileFields.subtract(reset)
            for field in PhotoField.allCases where reset.contains(field) && hasValue(of: field) {
                photo.fileFields.insert(field)
            }
        }
        if fields.contains(.text(.caption)), captionSource == .person { photo.captionSource = .imported }
        return photo
    }
}
