/// A layout with an adjustment around it.
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
    public init(_ base: Base, _ adjustment: some LayoutAdjustment) {
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
    /// - Parameter adjustment: What changes them.
    /// - Returns: A layout that answers every question with changed elements.
    /// - Complexity: O(1).
    public func adjusted(by adjustment: some LayoutAdjustment) -> AdjustedLayout<Self> {
        AdjustedLayout(self, adjustment)
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
