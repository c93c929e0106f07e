/// A member of the object of a photo with its place in a layout.
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

/// The members of the items of an answer.
public struct ItemFields: OptionSet, Hashable, Sendable {
    /// One bit for each ``ItemField``, in the order of its cases.
    public let rawValue: UInt32

    /// Creates a set from its bits.
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

    /// All members.
    public static let all = ItemFields(rawValue: 1 << UInt32(ItemField.allCases.count) - 1)
}
