/// A mapping from fields to columns or JSON paths.
///
///     let mapping = try FieldMapping(parsing: "id=flickr_id,location=images.0.url")
///     let path = mapping.path(of: .text(.location))  // images.0.url
///     let name = mapping.path(of: .text(.caption))  // caption
///
/// An unmapped field is read from its own name, unless the mapping gives that column to another field: with
/// `caption=title`, a record has no title. A path such as `images.0.url` traverses objects and arrays; a top-level key
/// that equals the whole dotted path takes precedence.
public struct FieldMapping: Sendable, Equatable {
    /// The default mapping: each field is read from its own name.
    public static let native = FieldMapping()

    private var paths: [String?] = Array(repeating: nil, count: ImportField.count)

    private init() {}

    /// Parses a list such as `id=flickr_id,width=flickr_original_width,location=images.0.url`.
    ///
    /// White space around names and paths is ignored; an empty text is ``native``.
    ///
    /// - Throws: ``ImportError`` that names the invalid part: an unknown or repeated field, or a field without a path.
    public init(parsing text: String) throws(ImportError) {
        guard !text.trimmed.isEmpty else { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].trimmed
            guard !part.trimmed.isEmpty else { throw ImportError("The mapping \"\(text)\" has an empty part.") }
            guard let field = ImportField(rawValue: name) else {
                let known = ImportField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ImportError("The mapping names the unknown field \"\(name)\"; the fields are \(known).")
            }
            guard sides.count == 2, !sides[1].trimmed.isEmpty else {
                throw ImportError("The mapping gives no column or path for the field \"\(name)\".")
            }
            guard paths[field.index] == nil else {
                throw ImportError("The mapping names the field \"\(name)\" twice.")
            }
            paths[field.index] = sides[1].trimmed
        }
    }

    /// Returns the column or path of a field; `nil` for a field that no record has, because the mapping gives its column
    /// to another one.
    public func path(of field: ImportField) -> String? {
        if let path = paths[field.index] { return path }
        return field != .id && paths.contains(field.rawValue) ? nil : field.rawValue
    }

    /// Whether the mapping names the field.
    ///
    /// If it does, a missing column is an error.
    public func isExplicit(_ field: ImportField) -> Bool { paths[field.index] != nil }
}

extension StringProtocol {
    /// The text without leading and trailing white space.
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }
}
