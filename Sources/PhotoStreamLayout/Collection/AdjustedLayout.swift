/// A layout with an adjustment around it.
///
///     let shown = layout.adjusted(by: Faded(alpha: 0.5))
///     let elements = shown.attributes(in: visible).attributes
///
/// Everything that can be asked of a layout can be asked of this one. Elements come changed on every path: in
/// rectangles, one by one, at points, on pages, in updates; the middles that scrolling rests at, what is worth having
/// ready and the place of a dragged item follow the changed frames. Sections, lines, columns and line starts stay the
/// layout's own. Where one adjustment is put around another, the outer one gets what the inner one has changed.
public struct AdjustedLayout<Base: LayoutSource>: LayoutSource {
    /// The layout inside.
    public let base: Base
    /// The index of its chunks and sections.
    public let directory: LayoutDirectory

    /// Puts an adjustment around a layout.
    ///
    /// - Complexity: O(1).
    public init(_ base: Base, adjustment: some LayoutAdjustment) {
        self.base = base
        var directory = base.directory
        directory.engine.adjustments.append(AnyLayoutAdjustment(adjustment))
        self.directory = directory
    }

    /// The photos and frames that the run of a chunk placed.
    public func placedChunk(at position: Int) throws(Base.Failure) -> PlacedChunk {
        try base.placedChunk(at: position)
    }
}

extension LayoutSource {
    /// The layout with its elements changed on their way out.
    ///
    /// - Parameter adjustment: The adjustment that changes them.
    /// - Returns: A layout that answers every question with changed elements.
    /// - Complexity: O(1).
    public func adjusted(by adjustment: some LayoutAdjustment) -> AdjustedLayout<Self> {
        AdjustedLayout(self, adjustment: adjustment)
    }
}

extension LayoutEngine {
    /// An element as it is to be answered.
    func adjusted(_ attributes: LayoutAttributes) -> LayoutAttributes {
        adjustments.reduce(attributes) { $1.adjusted($0) }
    }

    /// Changes what an element appears and disappears with, as a custom layout and the adjustments around it want it,
    /// from the innermost.
    func adjust(_ update: inout ElementUpdate) {
        algorithm.adjust(&update)
        for adjustment in adjustments { adjustment.adjust(&update) }
    }

    /// The rectangle in which elements have to be looked for that may meet another.
    func searched(for rect: PixelRect) -> PixelRect {
        adjustments.isEmpty ? rect : rect.clamped.outset(by: adjustmentOutset)
    }

    /// The distance that an element may reach out of the place where the layout put it.
    var adjustmentOutset: Int64 { adjustments.reduce(0) { $0 + $1.outset } }

    /// Whether elements are changed on their way out.
    var isAdjusted: Bool { !adjustments.isEmpty }
}

extension AdjustedLayout: Sendable where Base: Sendable {}

/// Changes how the elements of any layout look or stand, as subclassing a layout does in UIKit.
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
