/// An item that should not move on the screen while the layout around it changes: after an insertion above, with
/// another width, with another algorithm.
///
///     let anchor = layout.scrollAnchor(in: visible)
///     let offset = anchor.flatMap { wider.contentOffset(for: $0, index: $0.index, viewport: visible.height) }
public struct ScrollAnchor: Hashable, Sendable {
    /// The item's position in stream order.
    public var index: Int
    /// Its section and its position within it.
    public var indexPath: IndexPath
    /// The distance from the start of the visible bounds to the start of the item, along the scroll axis in the
    /// direction of reading, in device pixels; negative if the item begins before the bounds.
    public var distance: Int64
}

extension LayoutSource {
    /// Returns an anchor for the first visible item in stream order.
    ///
    /// - Parameters:
    ///   - visibleBounds: The part on the screen, in device pixels.
    ///   - isSteady: Whether the item at a position in stream order may be the anchor; `false` for one that will be
    ///     removed.
    /// - Returns: `nil` if there is no such item.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``forEachItem(in:from:_:)`` up to that item.
    public func scrollAnchor(
        in visibleBounds: PixelRect, where isSteady: (Int) -> Bool = { _ in true }
    ) throws(Failure) -> ScrollAnchor? {
        let directory = directory
        var first: (index: Int, frame: PixelRect)?
        try forEachItem(in: visibleBounds) { index, frame in
            guard isSteady(index) else { return true }
            first = (index, frame)
            return false
        }
        guard let (index, frame) = first else { return nil }
        let (axes, extent) = (directory.engine.axes, directory.contentExtent)
        let start = axes.frame(visibleBounds, contentExtent: extent).along
        return ScrollAnchor(
            index: index, indexPath: try indexPath(of: index),
            distance: axes.frame(frame, contentExtent: extent).along - start)
    }

    /// Returns the content offset at which an anchor keeps its position on the screen.
    ///
    /// - Parameters:
    ///   - anchor: An anchor from another layout of the same display scale.
    ///   - index: The item's position in stream order in this layout; if the item was removed, that of its replacement.
    ///   - viewport: The extent of the visible bounds along the scroll axis in device pixels.
    /// - Returns: The offset along the scroll axis, in the terms of
    ///   ``targetContentOffset(forProposed:velocity:viewport:snapping:)-(Int64,_,_,_)``, clamped to the content; at least
    ///   a pixel of the item stays visible, regardless of the sizes of the item and the viewport. `nil` outside the stream.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as `attributes(forItemAt:)`.
    public func contentOffset(
        for anchor: ScrollAnchor, index: Int, viewport: Int64
    ) throws(Failure) -> Int64? {
        let directory = directory
        guard let item = try attributes(forItemAt: index) else { return nil }
        let range = OffsetRange(directory, viewport: viewport)
        var frame = directory.engine.axes.frame(item.frame, contentExtent: directory.contentExtent)
        if try self.frame(forItemAt: index) == nil {
            // A hidden item has no frame, so the end of the section's items is used.
            frame.along = directory.section(at: item.indexPath.section).end - directory.engine.bands.after
        }
        let furthest = max(0, QuestionRange.clampedExtent(viewport) - 1)
        let distance = min(max(anchor.distance, 1 - frame.alongExtent), furthest)
        return range.mirrored(range.clamped(frame.along - distance))
    }
}
