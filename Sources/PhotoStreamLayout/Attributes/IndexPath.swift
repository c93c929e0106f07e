/// A section and an element's position within it, both from 0.
public struct IndexPath: Hashable, Comparable, Sendable {
    /// The section.
    public var section: Int
    /// The item within the section; of elements that belong to the section as a whole, 0; of a separator, the first
    /// item of the line after it.
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
