/// A mapping from fields to columns or JSON paths.
///
///     let mapping = try FieldMapping(parsing: "id=flickr_id,location=images.0.url")
///     let path = mapping.path(of: .location)  // images.0.url
///     let name = mapping.path(of: .caption)  // caption
///
/// An unmapped field is read from its own name. A path such as `images.0.url` traverses objects and arrays; a top-level
/// key that equals the whole dotted path takes precedence.
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

    /// Returns the column or path of a field.
    public func path(of field: ImportField) -> String { paths[field.index] ?? field.rawValue }

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

/// A field that a record can contain.
///
/// The raw value is its name in JSON and in `--map`.
public enum ImportField: String, Sendable, CaseIterable {
    /// The external id: text, or a number as written.
    case id
    /// The file's own width in pixels, before orientation is applied; with decimals, only the ratio counts.
    case width
    /// The file's own height, in the same unit.
    case height
    /// EXIF orientation: 1 to 8, or the words that EXIF tools print.
    case orientation
    /// RFC 3339, the EXIF form, a year, or seconds or milliseconds since 1970.
    case takenAt
    /// The caption.
    case caption
    /// The alternative text.
    case alt
    /// A list, or text separated by commas, semicolons or vertical bars.
    case tags
    /// The URL or path of the image.
    case location
    /// Degrees north.
    case latitude
    /// Degrees east.
    case longitude
    /// The hash of the image file's bytes, in the source's own notation.
    case contentHash
    /// A ThumbHash or BlurHash.
    case placeholder
    /// A colour such as `#1a2b3c`.
    case color

    /// The index in ``allCases``, for arrays with one element per field.
    var index: Int {
        switch self {
        case .id: 0
        case .width: 1
        case .height: 2
        case .orientation: 3
        case .takenAt: 4
        case .caption: 5
        case .alt: 6
        case .tags: 7
        case .location: 8
        case .latitude: 9
        case .longitude: 10
        case .contentHash: 11
        case .placeholder: 12
        case .color: 13
        }
    }

    /// The number of fields.
    static let count = 14
}
