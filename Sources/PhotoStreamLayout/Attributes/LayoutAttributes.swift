/// The frame and the appearance of one element.
///
/// Equality covers everything. What is rarely set (``alpha``, ``isHidden``, ``transform``, ``customValues``) takes one
/// word while it is as it always is.
public struct LayoutAttributes: Hashable, Sendable {
    /// The kind of element.
    public var elementKind: ElementKind
    /// An item's position in stream order over all sections, from 0; of what stands on an item or before a line, that
    /// of the item; of what belongs to a section, how many items the sections before it have, which is the position of
    /// its own first item wherever sections are runs of the stream: in all layouts but a map.
    public var index: Int
    /// Its section and its place within it.
    public var indexPath: IndexPath
    /// The whole cell in device pixels: the picture and, under it, its caption.
    public var frame: PixelRect
    /// The caption's part of the frame's height, in device pixels.
    public var captionExtent: Int64
    /// The level: backgrounds are at -1, items at 0, separators at 1, badges at 2, headers and footers at 3.
    ///
    /// On a map items that have a place lie at their ``index``, those that have none at 0, and badges with their items
    /// or, of those without a place, as elsewhere; headers and footers of both sections at 2^31 - 1. Of equals what
    /// comes later in
    /// an answer lies above.
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

    /// Whether it is not to be shown.
    public var isHidden: Bool {
        get { appearance?.values.isHidden ?? false }
        set { change { $0.isHidden = newValue } }
    }

    /// The rotation, translation or scale about its center; never part of ``frame``.
    public var transform: Transform3D {
        get { appearance?.values.transform ?? .identity }
        set { change { $0.transform = newValue } }
    }

    /// Additional values of a custom layout, by name.
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

/// A value that a custom layout adds to attributes.
public enum CustomValue: Hashable, Sendable {
    /// A number.
    case number(Double)
    /// A text.
    case text(String)
    /// Yes or no.
    case flag(Bool)
}

/// The values that are rarely set, apart so that they take no space where they are not.
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
