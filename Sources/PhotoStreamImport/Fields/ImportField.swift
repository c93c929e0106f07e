/// A value that a record can give, by its name in JSON and in `--map`.
public enum ImportField: String, Sendable, CaseIterable {
    /// The external id: text, or a number as it is written.
    case id
    /// The file's own width in pixels, before orientation is applied; decimals are a ratio.
    case width
    /// The file's own height, likewise.
    case height
    /// EXIF orientation: 1 to 8, or the words of EXIF tools.
    case orientation
    /// RFC 3339, EXIF's form, a year, or seconds or milliseconds since 1970.
    case takenAt
    /// The caption.
    case caption
    /// The alternative text.
    case alt
    /// A list, or text with commas, semicolons or bars between the tags.
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

    /// The place in ``allCases``: what arrays with one entry per field are indexed by.
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

    /// How many fields there are.
    static let count = 14
}
