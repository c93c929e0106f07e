/// A kind of element that a layout places.
public enum ElementKind: Hashable, Sendable {
    /// A photo with its caption.
    case item
    /// A view that stands for data beside the items, of a kind known by its name.
    case supplementary(String)
    /// A view that only adorns, of a kind known by its name.
    case decoration(String)

    /// An element at the start of a section.
    public static let sectionHeader = ElementKind.supplementary("section-header")
    /// An element at the end of a section.
    public static let sectionFooter = ElementKind.supplementary("section-footer")
    /// An element on an item.
    public static let badge = ElementKind.supplementary("badge")
    /// An element underneath a section.
    public static let sectionBackground = ElementKind.decoration("section-background")
    /// An element between two lines of a section.
    public static let separator = ElementKind.decoration("separator")

    /// The kind's name, unique over all kinds of a layout.
    public var name: String {
        switch self {
        case .item: "item"
        case .supplementary(let name), .decoration(let name): name
        }
    }
}

/// The order in which elements lie above one another.
enum ElementLevel {
    static let background = -1
    static let item = 0
    static let separator = 1
    static let badge = 2
    static let boundary = 3
    /// That of headers and footers of a map: above the position of any item, and within 32 bits, as CSS wants it.
    static let mapBoundary = Int(Int32.max)
}
