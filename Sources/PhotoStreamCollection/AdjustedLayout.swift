public import PhotoStreamLayout

/// A layout that changes its elements when it returns them.
///
///     let shown = layout.adjusted(by: Faded(alpha: 0.5))
///     let elements = shown.attributes(in: visible).attributes
///     let offset = shown.base.targetContentOffset(forProposed: 900, viewport: 600, snapping: .lineStarts)
///
/// Queries of rectangles, single elements and points, and `LayoutUpdates`, return changed elements. Everything else
/// (the content size, sections, pages, and the offsets of snapping) is a property of ``base``.
public struct AdjustedLayout<Base: LayoutSource>: ElementSource {
    /// The error of the layout.
    public typealias Failure = Base.Failure

    /// The layout whose elements are changed.
    public let base: Base
    /// The adjustments, from the innermost.
    private var adjustments: [any LayoutAdjustment]

    fileprivate init(_ base: Base, adjustments: [any LayoutAdjustment]) {
        self.base = base
        self.adjustments = adjustments
    }

    /// The index of the layout's chunks and sections.
    public var directory: LayoutDirectory { base.directory }

    /// Returns the layout with another adjustment, applied after the earlier ones.
    public func adjusted(by adjustment: some LayoutAdjustment) -> AdjustedLayout {
        AdjustedLayout(base, adjustments: adjustments + [adjustment])
    }

    /// The changed elements that meet a rectangle.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space.
    ///   - visibleBounds: The part on the screen, in device pixels; `nil` for `rect`.
    ///   - first: The start of the answer, as for `LayoutSource/attributes(in:visibleBounds:from:limit:)`.
    ///   - limit: The maximum number of items that the layout itself has near the rectangle, at least 1.
    /// - Returns: The elements in the layout's order, each item followed by the elements that the adjustments add.
    /// - Throws: Any error that the layout throws.
    /// - Complexity: That of the layout for the rectangle enlarged by all outsets.
    public func attributes(
        in rect: PixelRect, visibleBounds: PixelRect? = nil, from first: IndexPath = IndexPath(section: 0, item: 0),
        limit: Int = .max
    ) throws(Base.Failure) -> RectElements {
        guard rect.width > 0, rect.height > 0 else { return RectElements(attributes: [], next: nil) }
        let outset = adjustments.reduce(0) { $0 + $1.checkedOutset }
        let found = try base.attributes(
            in: rect.clamped.outset(by: outset), visibleBounds: visibleBounds ?? rect, from: first, limit: limit)
        return RectElements(
            attributes: found.attributes.flatMap { [adjusted($0)] + addedElements(on: $0) }.filter {
                $0.frame.intersects(rect)
            },
            next: found.next)
    }

    /// The changed items that meet a rectangle, in stream order.
    ///
    /// - Parameter rect: In device pixels of content space.
    /// - Returns: Each item once.
    /// - Throws: Any error that the layout throws.
    public func items(in rect: PixelRect) throws(Base.Failure) -> [LayoutAttributes] {
        try attributes(in: rect).attributes.filter { $0.elementKind == .item }.sorted { $0.index < $1.index }
    }

    /// The changed attributes of one item; `nil` outside the stream.
    public func attributes(forItemAt index: Int) throws(Base.Failure) -> LayoutAttributes? {
        try base.attributes(forItemAt: index).map(adjusted)
    }

    /// The changed attributes of one item; `nil` if there is none.
    public func attributes(forItemAt indexPath: IndexPath) throws(Base.Failure) -> LayoutAttributes? {
        try base.attributes(forItemAt: indexPath).map(adjusted)
    }

    /// The changed frame of one item; `nil` outside the stream and for a hidden item.
    public func frame(forItemAt index: Int) throws(Base.Failure) -> PixelRect? {
        try base.frame(forItemAt: index) == nil ? nil : attributes(forItemAt: index)?.frame
    }

    /// The changed attributes of a supplementary element, of the layout or of an adjustment; `nil` if there is none.
    public func attributes(
        forSupplementary kind: ElementKind, at indexPath: IndexPath, visibleBounds: PixelRect? = nil
    ) throws(Base.Failure) -> LayoutAttributes? {
        if let found = try base.attributes(forSupplementary: kind, at: indexPath, visibleBounds: visibleBounds) {
            return adjusted(found)
        }
        guard let item = try base.attributes(forItemAt: indexPath), !item.isHidden else { return nil }
        return addedElements(on: item).first { $0.elementKind == kind }
    }

    /// The changed attributes of a decoration element; `nil` if there is none.
    public func attributes(
        forDecoration kind: ElementKind, at indexPath: IndexPath
    ) throws(Base.Failure) -> LayoutAttributes? {
        try base.attributes(forDecoration: kind, at: indexPath).map(adjusted)
    }

    /// The section of an item and its position within it.
    public func indexPath(of index: Int) throws(Base.Failure) -> IndexPath { try base.indexPath(of: index) }

    /// The item whose changed frame contains a point.
    ///
    /// - Parameter point: A device pixel of content space.
    /// - Returns: The item with the highest zIndex, and in a tie, the last in stream order; `nil` if there is none.
    /// - Throws: Any error that the layout throws.
    public func indexPath(at point: PixelPoint) throws(Base.Failure) -> IndexPath? {
        try items(in: PixelRect(x: point.x, y: point.y, width: 1, height: 1).clamped)
            .max { $0.zIndex == $1.zIndex ? $0.index < $1.index : $0.zIndex < $1.zIndex }?.indexPath
    }

    private func adjusted(_ attributes: LayoutAttributes) -> LayoutAttributes {
        adjustments.reduce(attributes) { $1.adjusted($0) }
    }

    /// The elements that the adjustments add to an item, changed by later adjustments.
    private func addedElements(on item: LayoutAttributes) -> [LayoutAttributes] {
        guard item.elementKind == .item else { return [] }
        return adjustments.indices.flatMap { position in
            adjustments[position].elements(on: item).map { element in
                precondition(element.frame.isWithin(item.frame), "an element on an item lies within its frame")
                var attributes = LayoutAttributes(
                    elementKind: .supplementary(element.kind), index: item.index, indexPath: item.indexPath,
                    frame: element.frame)
                attributes.zIndex = element.zIndex
                return adjustments[(position + 1)...].reduce(attributes) { $1.adjusted($0) }
            }
        }
    }
}

extension AdjustedLayout: Sendable where Base: Sendable {}

extension LayoutSource {
    /// Returns the layout with changed elements.
    ///
    /// - Complexity: O(1).
    public func adjusted(by adjustment: some LayoutAdjustment) -> AdjustedLayout<Self> {
        AdjustedLayout(self, adjustments: [adjustment])
    }
}

/// Changes the elements of any layout, as subclassing a layout does in UIKit.
///
///     struct Faded: LayoutAdjustment {
///         var alpha: Double
///         var outset: Int64 { 0 }
///
///         func adjust(_ attributes: inout LayoutAttributes) {
///             attributes.alpha *= alpha
///         }
///     }
///
/// The layout and its content size do not change, so changing an adjustment costs nothing. ``AdjustedLayout`` applies
/// it.
public protocol LayoutAdjustment: Sendable {
    /// The maximum distance, in device pixels, by which a changed frame extends beyond the original on any side, at
    /// most 2^40.
    var outset: Int64 { get }

    /// Changes an element: its frame within ``outset``, `LayoutAttributes/alpha`, `LayoutAttributes/isHidden`,
    /// `LayoutAttributes/transform`, `LayoutAttributes/zIndex`, `LayoutAttributes/customValues`.
    ///
    /// The same element must be changed alike each time. Its kind, its position and the height of its caption cannot be
    /// changed.
    ///
    /// - Parameter attributes: The layout's attributes, in content space on the screen.
    func adjust(_ attributes: inout LayoutAttributes)

    /// The supplementary elements to add to an item; the default implementation adds none.
    ///
    /// - Parameter item: The layout's attributes of the item.
    /// - Returns: The elements, each of another kind and within the item's frame.
    func elements(on item: LayoutAttributes) -> [ItemElement]
}

extension LayoutAdjustment {
    /// Adds no element.
    public func elements(on item: LayoutAttributes) -> [ItemElement] { [] }

    /// The outset, limited to 2^40 pixels.
    fileprivate var checkedOutset: Int64 { min(max(0, outset), 1 << 40) }

    /// Returns an element with the adjustment applied.
    fileprivate func adjusted(_ attributes: LayoutAttributes) -> LayoutAttributes {
        var result = attributes
        adjust(&result)
        (result.elementKind, result.index) = (attributes.elementKind, attributes.index)
        (result.indexPath, result.captionExtent) = (attributes.indexPath, attributes.captionExtent)
        precondition(
            result.frame.isWithin(attributes.frame.outset(by: checkedOutset)),
            "a frame extends beyond the declared outset")
        return result
    }
}

/// A supplementary element that an adjustment adds to an item.
public struct ItemElement: Hashable, Sendable {
    /// The name of its kind.
    public var kind: String
    /// Its frame on the screen, within the frame of its item, in device pixels.
    public var frame: PixelRect
    /// The order in which elements lie above one another.
    public var zIndex: Int

    /// Creates an element.
    public init(kind: String, frame: PixelRect, zIndex: Int = 2) {
        self.kind = kind
        self.frame = frame
        self.zIndex = zIndex
    }
}

extension PixelRect {
    /// Returns the rectangle enlarged by a distance on every side.
    fileprivate func outset(by distance: Int64) -> PixelRect {
        PixelRect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
    }

    /// Whether no part of it lies outside another.
    fileprivate func isWithin(_ other: PixelRect) -> Bool {
        width >= 0 && height >= 0 && x >= other.x && y >= other.y && maxX <= other.maxX && maxY <= other.maxY
    }
}
