public import PhotoStreamModel

/// A member of the object of a photo with its frame in a layout.
public enum ItemField: Hashable, Sendable, CaseIterable {
    case index
    case photo
    case kind
    case section
    case item
    case frame
    case captionExtent
    case zIndex
    case hidden
    case cluster
    case pixelWidth
    case pixelHeight
    case metrics
    case orientation
    case takenAt
    case takenAtSource
    case captionSource
    case latitude
    case longitude
    case color
    case stack
    case stackRank
    case stackKind
    case stackCount
    case stackKinds
    case pictureKey
    case thumbnails
    case text(PhotoText)
    case number(PhotoNumber)
    case list(PhotoList)
    case flag(PhotoFlag)

    /// All members, in the order in which they are written.
    public static let allCases: [ItemField] =
        [
            .index, .photo, .kind, .section, .item, .frame, .captionExtent, .zIndex, .hidden, .cluster, .pixelWidth,
            .pixelHeight, .metrics,
        ] + PhotoField.allCases.flatMap(members) + [.pictureKey, .thumbnails]

    /// Returns the members that show a photo field.
    private static func members(of field: PhotoField) -> [ItemField] {
        switch field {
        // Shown by the members before.
        case .size: []
        case .orientation: [.orientation]
        case .takenAt: [.takenAt, .takenAtSource]
        case .coordinate: [.latitude, .longitude]
        case .color: [.color]
        case .stack: [.stack, .stackRank, .stackKind, .stackCount, .stackKinds]
        case .text(.caption): [.text(.caption), .captionSource]
        case .text(let text): [.text(text)]
        case .number(let number): [.number(number)]
        case .list(let list): [.list(list)]
        case .flag(let flag): [.flag(flag)]
        }
    }
}

extension ItemField: RawRepresentable {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Returns the member with a name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let field = Self.byName[rawValue] else { return nil }
        self = field
    }

    /// The name in JSON.
    public var rawValue: String {
        switch self {
        case .text(let text): text.name.description
        case .number(let number): number.name.description
        case .list(let list): list.name.description
        case .flag(let flag): flag.name.description
        default: "\(self)"
        }
    }
}

extension ItemField {
    /// The position of its bit in ``ItemFields``, different for each.
    var bit: UInt64 {
        switch self {
        case .index: 0
        case .photo: 1
        case .kind: 2
        case .section: 3
        case .item: 4
        case .frame: 5
        case .captionExtent: 6
        case .zIndex: 7
        case .hidden: 8
        case .pixelWidth: 9
        case .pixelHeight: 10
        case .metrics: 11
        case .orientation: 12
        case .takenAt: 13
        case .captionSource: 14
        case .takenAtSource: 15
        case .latitude: 16
        case .longitude: 17
        case .color: 18
        case .pictureKey: 19
        case .thumbnails: 20
        case .cluster: 21
        case .stack: 22
        case .stackRank: 23
        case .stackKind: 24
        case .stackCount: 25
        case .stackKinds: 26
        case .text(let text): 27 + UInt64(text.rawValue)
        case .number(let number): 27 + UInt64(PhotoText.count + number.rawValue)
        case .list(let list): 27 + UInt64(PhotoText.count + PhotoNumber.count + list.rawValue)
        case .flag(let flag):
            27 + UInt64(PhotoText.count + PhotoNumber.count + PhotoList.count + flag.rawValue)
        }
    }
}

/// The members of the items of an answer.
public struct ItemFields: OptionSet, Hashable, Sendable {
    /// One bit for each ``ItemField``.
    public let rawValue: UInt64

    /// Creates a set from its bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Creates a set of members.
    public init(_ fields: some Sequence<ItemField>) {
        self = fields.reduce(into: []) { $0.insert(ItemFields($1)) }
    }

    init(_ field: ItemField) {
        rawValue = 1 << field.bit
    }

    /// The members that show the results of decoding pictures.
    public static let ofPictures = ItemFields([.pictureKey, .thumbnails, .color, .text(.placeholder)])

    /// Whether a member belongs to the set.
    func contains(_ field: ItemField) -> Bool { contains(ItemFields(field)) }

    /// All members.
    public static let all = ItemFields(rawValue: 1 << UInt64(ItemField.allCases.count) - 1)
}
