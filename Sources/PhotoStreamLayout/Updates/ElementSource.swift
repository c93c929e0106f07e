/// A layout whose elements can be requested, in a rectangle or one by one, as ``LayoutUpdates`` does to compare two.
///
/// Every ``LayoutSource`` is one. A type that changes a layout's elements is another.
public protocol ElementSource {
    /// The error that reading a chunk's content may throw.
    associatedtype Failure: Error

    /// The index of the layout's chunks and sections.
    var directory: LayoutDirectory { get }

    /// The elements that meet a rectangle; see ``LayoutSource``.
    func attributes(
        in rect: PixelRect, visibleBounds: PixelRect?, from first: IndexPath, limit: Int
    ) throws(Failure) -> RectElements

    /// The attributes of one item, by its position in stream order; `nil` outside the stream.
    func attributes(forItemAt index: Int) throws(Failure) -> LayoutAttributes?

    /// The frame of one item; `nil` outside the stream and for a hidden item.
    func frame(forItemAt index: Int) throws(Failure) -> PixelRect?

    /// The attributes of a supplementary element; `nil` if there is none.
    func attributes(
        forSupplementary kind: ElementKind, at indexPath: IndexPath, visibleBounds: PixelRect?
    ) throws(Failure) -> LayoutAttributes?

    /// The attributes of a decoration element; `nil` if there is none.
    func attributes(
        forDecoration kind: ElementKind, at indexPath: IndexPath
    ) throws(Failure) -> LayoutAttributes?

    /// The section of an item, and its position within it.
    func indexPath(of index: Int) throws(Failure) -> IndexPath
}

extension ElementSource {
    /// The visible elements.
    func elements(in bounds: PixelRect) throws(Failure) -> [LayoutAttributes] {
        try attributes(
            in: bounds, visibleBounds: nil, from: IndexPath(section: 0, item: 0), limit: .max
        ).attributes
    }
}
