/// A member of the object that shows a photo where a layout puts it.
public enum ItemField: String, CaseIterable, Hashable, Sendable {
    case index
    case photo
    case kind
    case section
    case item
    case frame
    case captionExtent
    case zIndex
    case hidden
    case pixelWidth
    case pixelHeight
    case metrics
    case orientation
    case takenAt
    case caption
    case captionSource
    case alt
    case tags
    case location
    case latitude
    case longitude
    case contentHash
    case placeholder
    case color
}

/// Which members the objects of an answer have.
public struct ItemFields: OptionSet, Hashable, Sendable {
    /// One bit for each ``ItemField``.
    public let rawValue: UInt32

    /// Creates a set of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates a set of members.
    public init(_ fields: some Sequence<ItemField>) {
        self = fields.reduce(into: []) { $0.insert(ItemFields($1)) }
    }

    init(_ field: ItemField) {
        rawValue = 1 << UInt32(ItemField.allCases.firstIndex(of: field) ?? 0)
    }

    /// All of them.
    public static let all = ItemFields(rawValue: 1 << UInt32(ItemField.allCases.count) - 1)

    static let index = ItemFields(rawValue: 1 << 0)
    static let photo = ItemFields(rawValue: 1 << 1)
    static let kind = ItemFields(rawValue: 1 << 2)
    static let section = ItemFields(rawValue: 1 << 3)
    static let item = ItemFields(rawValue: 1 << 4)
    static let frame = ItemFields(rawValue: 1 << 5)
    static let captionExtent = ItemFields(rawValue: 1 << 6)
    static let zIndex = ItemFields(rawValue: 1 << 7)
    static let hidden = ItemFields(rawValue: 1 << 8)
    static let pixelWidth = ItemFields(rawValue: 1 << 9)
    static let pixelHeight = ItemFields(rawValue: 1 << 10)
    static let metrics = ItemFields(rawValue: 1 << 11)
    static let orientation = ItemFields(rawValue: 1 << 12)
    static let takenAt = ItemFields(rawValue: 1 << 13)
    static let caption = ItemFields(rawValue: 1 << 14)
    static let captionSource = ItemFields(rawValue: 1 << 15)
    static let alt = ItemFields(rawValue: 1 << 16)
    static let tags = ItemFields(rawValue: 1 << 17)
    static let location = ItemFields(rawValue: 1 << 18)
    static let latitude = ItemFields(rawValue: 1 << 19)
    static let longitude = ItemFields(rawValue: 1 << 20)
    static let contentHash = ItemFields(rawValue: 1 << 21)
    static let placeholder = ItemFields(rawValue: 1 << 22)
    static let color = ItemFields(rawValue: 1 << 23)
}
