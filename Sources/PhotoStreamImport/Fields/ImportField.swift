public import PhotoStreamModel

/// A field that a record can contain.
///
/// The raw value is its name in JSON and in `--map`.
public enum ImportField: Hashable, Sendable, CaseIterable {
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
    /// Degrees north.
    case latitude
    /// Degrees east.
    case longitude
    /// A colour such as `#1a2b3c`.
    case color
    /// The name of a stack.
    case stack
    /// The rank in a stack: 0 for the cover.
    case stackRank
    /// The reason for which the photo is in a stack, such as `raw`.
    case stackKind
    /// A number: a decimal or, of a number with decimal places, a fraction such as `1/250`.
    case number(PhotoNumber)
    /// A text.
    case text(PhotoText)
    /// A list, or text separated by commas, semicolons or vertical bars.
    case list(PhotoList)
    /// A Boolean.
    case flag(PhotoFlag)

    /// The id, and the members of all photo fields in their order.
    public static let allCases: [ImportField] = [.id] + PhotoField.allCases.flatMap(fields)

    /// The number of fields.
    static let count = 11 + PhotoNumber.count + PhotoText.count + PhotoList.count + PhotoFlag.count

    /// The index of the field in arrays with one element per field.
    var index: Int {
        switch self {
        case .id: 0
        case .width: 1
        case .height: 2
        case .orientation: 3
        case .takenAt: 4
        case .latitude: 5
        case .longitude: 6
        case .color: 7
        case .stack: 8
        case .stackRank: 9
        case .stackKind: 10
        case .number(let number): 11 + number.rawValue
        case .text(let text): 11 + PhotoNumber.count + text.rawValue
        case .list(let list): 11 + PhotoNumber.count + PhotoText.count + list.rawValue
        case .flag(let flag): 11 + PhotoNumber.count + PhotoText.count + PhotoList.count + flag.rawValue
        }
    }

    /// The names by ``index``, which are the members of the photo fields.
    private static let names: [StaticString] = zip(allCases, ["id"] + PhotoField.allCases.flatMap(\.row.members))
        .sorted { $0.0.index < $1.0.index }.map(\.1)

    /// The name in JSON and in `--map`.
    public var name: StaticString { Self.names[index] }

    /// Returns the fields of a record that together make a photo field.
    public static func fields(of field: PhotoField) -> [ImportField] {
        switch field {
        case .size: [.width, .height]
        case .orientation: [.orientation]
        case .takenAt: [.takenAt]
        case .coordinate: [.latitude, .longitude]
        case .color: [.color]
        case .stack: [.stack, .stackRank, .stackKind]
        case .text(let text): [.text(text)]
        case .number(let number): [.number(number)]
        case .list(let list): [.list(list)]
        case .flag(let flag): [.flag(flag)]
        }
    }
}

extension ImportField: RawRepresentable, CustomStringConvertible {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Returns the field with a name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let field = Self.byName[rawValue] else { return nil }
        self = field
    }

    /// The name as a string.
    public var rawValue: String { name.description }

    /// The name as a string.
    public var description: String { rawValue }
}
