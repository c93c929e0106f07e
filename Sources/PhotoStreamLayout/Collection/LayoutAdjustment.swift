/// Changes how the elements of any layout look or stand, as subclassing a layout does in UIKit.
///
/// The layout itself, its stored frames and its content size stay as they are, so changing an adjustment costs nothing:
/// what is asked for is changed on its way out, on every path alike. ``AdjustedLayout`` puts one around a layout.
public protocol LayoutAdjustment: Hashable, Sendable {
    /// The distance, in device pixels, that a changed frame may reach out of the original on every side, at most 2^40.
    var outset: Int64 { get }

    /// Changes an element: its frame within ``outset``, ``LayoutAttributes/alpha``, ``LayoutAttributes/isHidden``,
    /// ``LayoutAttributes/transform``, ``LayoutAttributes/zIndex``, ``LayoutAttributes/customValues``.
    ///
    /// The same element has to be changed alike each time. What it is, where it belongs and how high its caption is
    /// cannot be changed.
    ///
    /// - Parameter attributes: As the layout has them, in content space on the screen.
    func adjust(_ attributes: inout LayoutAttributes)

    /// Changes what an element appears and disappears with, ``ElementUpdate/initial`` and ``ElementUpdate/final``;
    /// nothing unless it says otherwise.
    ///
    /// - Parameter update: An element that is inserted, deleted or reloaded, as the layout has it.
    func adjust(_ update: inout ElementUpdate)
}

extension LayoutAdjustment {
    /// Changes nothing.
    public func adjust(_ update: inout ElementUpdate) {}
}

/// An adjustment of whatever type.
struct AnyLayoutAdjustment: Hashable, Sendable {
    private let base: any LayoutAdjustment

    init(_ base: some LayoutAdjustment) {
        self.base = base
    }

    static func == (left: AnyLayoutAdjustment, right: AnyLayoutAdjustment) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(base))
    }

    /// The distance that frames may reach out of the original ones; more than 2^40 pixels count as 2^40.
    var outset: Int64 { min(max(0, base.outset), 1 << 40) }

    func adjust(_ update: inout ElementUpdate) { base.adjust(&update) }

    /// An element as it is to be answered.
    func adjusted(_ attributes: LayoutAttributes) -> LayoutAttributes {
        var result = attributes
        base.adjust(&result)
        (result.elementKind, result.index) = (attributes.elementKind, attributes.index)
        (result.indexPath, result.captionExtent) = (attributes.indexPath, attributes.captionExtent)
        precondition(
            result.frame.isWithin(attributes.frame.outset(by: outset)), "a frame reaches out of the declared outset")
        return result
    }
}

extension PixelRect {
    /// Larger by a distance on every side.
    func outset(by distance: Int64) -> PixelRect {
        PixelRect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
    }

    /// Whether no part of it lies outside another.
    func isWithin(_ other: PixelRect) -> Bool {
        width >= 0 && height >= 0 && x >= other.x && y >= other.y && maxX <= other.maxX && maxY <= other.maxY
    }
}
