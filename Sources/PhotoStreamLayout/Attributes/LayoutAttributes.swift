/// What a layout places.
public enum ElementKind: String, Hashable, Sendable {
    /// A photo with its caption.
    case item
}

/// Section and item within it, both from 0.
public struct IndexPath: Hashable, Comparable, Sendable {
    /// The section.
    public var section: Int
    /// The item within the section.
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

/// Where one element stands.
public struct LayoutAttributes: Hashable, Sendable {
    /// What it is.
    public var elementKind: ElementKind
    /// Its position in stream order over all sections, from 0.
    public var index: Int
    /// Its section and its place within it.
    public var indexPath: IndexPath
    /// The whole cell in device pixels: the picture and, under it, its caption.
    public var frame: PixelRect
    /// How much of the frame's height is the caption's, in device pixels.
    public var captionExtent: Int64
    /// What lies above what; items are at 0.
    public var zIndex: Int

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
}
