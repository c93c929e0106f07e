/// Which column or JSON path each field is read from.
///
/// Fields that are not named are read from their own names. A path such as `images.0.url` goes through objects and
/// arrays; a top-level key that equals the whole dotted text wins over the path.
public struct FieldMapping: Sendable, Equatable {
    /// The native names: each field from the key or column of its own name.
    public static let native = FieldMapping()

    private var paths: [String?] = Array(repeating: nil, count: ImportField.count)

    private init() {}

    /// Reads a list such as `id=flickr_id,width=flickr_original_width,location=images.0.url`.
    ///
    /// White space around names and paths does not count; empty text is ``native``.
    ///
    /// - Throws: ``ImportError`` that names the offending part: an unknown or doubled field, or one without a path.
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

    /// The column or path that a field is read from.
    public func path(of field: ImportField) -> String { paths[field.index] ?? field.rawValue }

    /// Whether the mapping names the field, so that its absence is a mistake.
    public func isExplicit(_ field: ImportField) -> Bool { paths[field.index] != nil }
}

extension StringProtocol {
    /// The text without outer white space.
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }
}
