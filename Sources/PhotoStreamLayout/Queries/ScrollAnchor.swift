/// An item that is to stand still while the layout around it changes: after an insertion above, another width, another
/// algorithm.
///
///     let anchor = layout.scrollAnchor(in: visible)
///     let offset = anchor.flatMap { wider.contentOffset(for: $0, index: $0.index, viewport: visible.height) }
public struct ScrollAnchor: Hashable, Sendable {
    /// The item's position in stream order.
    public var index: Int
    /// Its section and its position within it.
    public var indexPath: IndexPath
    /// From the start of the visible bounds to that of the item, along the scroll axis in the direction of reading, in
    /// device pixels; negative where the item begins before them.
    public var distance: Int64

    /// Creates an anchor.
    public init(index: Int, indexPath: IndexPath, distance: Int64) {
        self.index = index
        self.indexPath = indexPath
        self.distance = distance
    }
}

extension LayoutSource {
    /// The item to hold on to: the first in stream order that is visible.
    ///
    /// - Parameters:
    ///   - visibleBounds: The part on the screen, in device pixels.
    ///   - isSteady: Whether an item, by its position in stream order, may be held on to: not one that is about to go.
    /// - Returns: `nil` where no such item is.
    /// - Throws: Any error that the source throws.
    /// - Complexity: As ``forEachItem(in:from:_:)`` up to that item.
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

    /// The content offset that keeps an anchor where it was.
    ///
    /// - Parameters:
    ///   - anchor: The anchor that another layout of the same display scale has given.
    ///   - index: The item's position in stream order in this layout; where the item is gone, that of the one in its
    ///     place.
    ///   - viewport: The extent of the visible bounds along the scroll axis in device pixels.
    /// - Returns: The offset along the scroll axis, as
    ///   ``targetContentOffset(forProposed:velocity:viewport:snapping:)-(Int64,_,_,_)`` speaks of it, clamped to the
    ///   content; a pixel of the item at least stays visible, however small it or the viewport has become. `nil`
    ///   outside the stream.
    /// - Throws: Any error that the source throws.
    /// - Complexity: As `attributes(forItemAt:)`.
    public func contentOffset(
        for anchor: ScrollAnchor, index: Int, viewport: Int64
    ) throws(Failure) -> Int64? {
        let directory = directory
        guard let item = try attributes(forItemAt: index) else { return nil }
        let range = OffsetRange(directory, viewport: viewport)
        var frame = directory.engine.axes.frame(item.frame, contentExtent: directory.contentExtent)
        if try self.frame(forItemAt: index) == nil {
            // It stands nowhere; the items before it end here.
            frame.along = directory.section(at: item.indexPath.section).end - directory.engine.bands.after
        }
        let furthest = max(0, QuestionRange.clampedExtent(viewport) - 1)
        let distance = min(max(anchor.distance, 1 - frame.alongExtent), furthest)
        return range.mirrored(range.clamped(frame.along - distance))
    }

    /// The items that are worth having ready: an estimate for prefetching.
    ///
    /// - Parameters:
    ///   - visibleBounds: The part on the screen, in device pixels.
    ///   - velocity: The speed of scrolling, positive towards greater coordinates; only its sign is read, and 0 counts as
    ///     in the direction of reading.
    ///   - ahead: The multiple of the extent of the visible bounds to look ahead, 0 to 1,000.
    ///   - back: The multiple to look back.
    /// - Returns: From the first to the last item that meets the visible bounds or what lies so far ahead or back,
    ///   over the whole container; empty where none does.
    /// - Throws: Any error that the source throws.
    /// - Complexity: O(log items + result), as ``forEachItem(in:from:_:)``.
    public func workingRange(
        for visibleBounds: PixelRect, velocity: Double = 0, ahead: Int = 2, back: Int = 1
    ) throws(Failure) -> Range<Int> {
        let directory = directory
        let visible = directory.engine.axes.frame(visibleBounds, contentExtent: directory.contentExtent)
        guard visible.alongExtent > 0 else { return 0..<0 }
        let isMirrored = directory.engine.axes.isHorizontal && directory.engine.axes.isMirrored
        let goesBack = isMirrored ? velocity > 0 : velocity < 0
        let (onwards, backwards) = goesBack ? (back, ahead) : (ahead, back)
        /// The given multiple of the visible extent; no further than all content is away.
        func reach(_ times: Int) -> Int64 {
            let (distance, isBeyond) = visible.alongExtent.multipliedReportingOverflow(
                by: Int64(min(max(times, 0), 1_000)))
            return isBeyond ? 2 * QuestionRange.limit : min(distance, 2 * QuestionRange.limit)
        }
        let (start, extent) = QuestionRange.clamped(
            from: visible.along - reach(backwards), to: visible.alongEnd + reach(onwards))
        let range = start..<start + extent
        var found: Range<Int>?
        try forEachItem(along: range) { index, _ in
            found = (found?.lowerBound ?? index)..<index + 1
        }
        return found ?? 0..<0
    }
}
