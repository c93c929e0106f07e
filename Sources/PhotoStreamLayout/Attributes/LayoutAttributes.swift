/// The frame and the appearance of one element.
///
///     let frame = key.displayScale.points(attributes.frame)  // the view of the cell
///     let captionHeight = key.displayScale.points(attributes.captionExtent)  // at its lower edge
///
/// Equality compares all values. Those that are rarely set (``alpha``, ``isHidden``, ``transform``, ``customValues``)
/// take one word together while they have their defaults.
public struct LayoutAttributes: Hashable, Sendable {
    /// A photo, or the kind of the element that is not one.
    public var elementKind: ElementKind
    /// An item's position in stream order over all sections, from 0.
    ///
    /// For an element on an item or before a line, that of the item. For an element of a section, the number of items
    /// in the sections before it, which is the position of its own first item in all layouts except a map.
    public var index: Int
    /// Its section and its place within it.
    public var indexPath: IndexPath
    /// The whole cell in device pixels: the picture and, under it, its caption.
    public var frame: PixelRect
    /// The caption's part of the frame's height, in device pixels.
    public var captionExtent: Int64
    /// The level: backgrounds are at -1, items at 0, separators at 1, badges at 2, headers and footers at 3.
    ///
    /// On a map, items with a position are at their ``index``, those without one at 0, and badges with their items, or at
    /// 2 for items without a position; headers and footers of both sections are at 2^31 - 1. If levels are equal,
    /// the later element of an answer lies above.
    public var zIndex: Int
    private var appearance: Appearance?

    /// Creates attributes.
    public init(
        elementKind: ElementKind = .item,
        index: Int,
        indexPath: IndexPath,
        frame: PixelRect,
        captionExtent: Int64 = 0,
        zIndex: Int = 0
    ) {
        self.elementKind = elementKind
        self.index = index
        self.indexPath = indexPath
        self.frame = frame
        self.captionExtent = captionExtent
        self.zIndex = zIndex
    }

    /// The middle of ``frame``, in device pixels.
    public var center: Point {
        Point(x: Double(frame.x) + Double(frame.width) / 2, y: Double(frame.y) + Double(frame.height) / 2)
    }

    /// The size of ``frame``, in device pixels.
    public var size: PixelExtent { PixelExtent(width: frame.width, height: frame.height) }

    /// The opacity, 0 to 1; 1 by default.
    public var alpha: Double {
        get { appearance?.values.alpha ?? 1 }
        set { change { $0.alpha = newValue } }
    }

    /// Whether the element is not shown.
    public var isHidden: Bool {
        get { appearance?.values.isHidden ?? false }
        set { change { $0.isHidden = newValue } }
    }

    /// The rotation, translation or scale about its center; never included in ``frame``.
    public var transform: Transform3D {
        get { appearance?.values.transform ?? .identity }
        set { change { $0.transform = newValue } }
    }

    /// Additional values that an app sets, by name.
    public var customValues: [String: CustomValue] {
        get { appearance?.values.customValues ?? [:] }
        set { change { $0.customValues = newValue } }
    }

    private mutating func change(_ body: (inout Appearance.Values) -> Void) {
        var values = appearance?.values ?? Appearance.Values()
        body(&values)
        appearance = values == Appearance.Values() ? nil : Appearance(values)
    }
}

/// A value that an app adds to attributes.
public enum CustomValue: Hashable, Sendable {
    /// A number, such as a distance or an angle.
    case number(Double)
    /// A text, such as a title or the name of an animation.
    case text(String)
    /// A Boolean, such as whether a photo is selected.
    case flag(Bool)
}

/// The values that are rarely set, stored apart so that they take no space if they are not.
private final class Appearance: Hashable, Sendable {
    struct Values: Hashable, Sendable {
        var alpha: Double = 1
        var isHidden = false
        var transform = Transform3D.identity
        var customValues: [String: CustomValue] = [:]
    }

    let values: Values

    init(_ values: Values) {
        self.values = values
    }

    static func == (left: Appearance, right: Appearance) -> Bool { left.values == right.values }

    func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

/// A kind of element that a layout places.
public enum ElementKind: Hashable, Sendable {
    /// A photo with its caption.
    case item
    /// A view that shows data in addition to the items; the name is its kind.
    case supplementary(String)
    /// A view that only decorates; the name is its kind.
    case decoration(String)

    /// An element at the start of a section.
    public static let sectionHeader = ElementKind.supplementary("section-header")
    /// An element at the end of a section.
    public static let sectionFooter = ElementKind.supplementary("section-footer")
    /// An element on top of an item.
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
    /// The level of a map's headers and footers: above the position of any item, and within the 32 bits of CSS.
    static let mapBoundary = Int(Int32.max)
}

/// A section and an element's position within it, both from 0.
public struct IndexPath: Hashable, Comparable, Sendable {
    /// The position among the sections of the layout.
    public var section: Int
    /// The item within the section: 0 for elements of the section as a whole; for a separator, the first item of the
    /// line after it.
    public var item: Int

    /// Creates an index path.
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// Sections first, then items.
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
        left.section != right.section ? left.section < right.section : left.item < right.item
    }
}

/// A transform of three-dimensional space, as a matrix that is multiplied from the left by row vectors.
///
/// Elements are named by row and column, as in Core Animation.
public struct Transform3D: Hashable, Sendable {
    /// The rows, from the first.
    public var m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44: Double

    /// The transform that changes nothing.
    public static let identity = scale(x: 1, y: 1, z: 1)

    /// Returns a transform that moves by device pixels.
    public static func translation(x: Double, y: Double, z: Double = 0) -> Transform3D {
        var transform = identity
        (transform.m41, transform.m42, transform.m43) = (x, y, z)
        return transform
    }

    /// Returns a transform that scales.
    public static func scale(x: Double, y: Double, z: Double = 1) -> Transform3D {
        Transform3D(
            m11: x, m12: 0, m13: 0, m14: 0, m21: 0, m22: y, m23: 0, m24: 0, m31: 0, m32: 0, m33: z, m34: 0, m41: 0,
            m42: 0, m43: 0, m44: 1)
    }

    /// Returns a transform that rotates about the axis that points out of the screen.
    ///
    /// - Parameters:
    ///   - sine: The sine of the angle; clockwise if y points down.
    ///   - cosine: The cosine of the angle.
    /// - Returns: The rotation.
    public static func rotation(sine: Double, cosine: Double) -> Transform3D {
        var transform = identity
        (transform.m11, transform.m12, transform.m21, transform.m22) = (cosine, sine, -sine, cosine)
        return transform
    }
}
