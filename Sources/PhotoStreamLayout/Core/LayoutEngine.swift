public import PhotoStreamModel

/// A layout as a fold: a pure function of (state, item metrics) to (state, frames).
///
/// The same input gives the same output on every platform: extents are computed in `Double` from whole numbers and
/// rounded once; everything else is integers.
///
/// ```
/// state ──▶ place(chunk 0) ──▶ state ──▶ place(chunk 1) ──▶ … ──▶ close(state) ──▶ content size
///                │                           │                        │
///                ▼                           ▼                        ▼
///             frames                      frames               open items
/// ```
///
/// A layout that is packed from the end of the stream is the same fold from the last photo to the first: see
/// ``foldsBackward``.
///
///     let engine = LayoutEngine(try LayoutKey(configuration))
///     let first = engine.place(photos[0..<1_000], from: engine.initialState)
///     let second = engine.place(photos[1_000..<2_000], from: first.exitState)
///     let ending = engine.close(second.exitState)
public struct LayoutEngine: Sendable {
    /// The configuration of the layout.
    public let key: LayoutKey
    let axes: LayoutAxes
    let algorithm: any LayoutAlgorithm
    let bands: SectionBands
    /// Whether the fold begins with the last photo: chunks are placed, and added to a directory, from the last to the
    /// first.
    public let foldsBackward: Bool
    // Cached, because these are read per item and opening the existential is slow.
    private let captions: CaptionRule
    /// Whether the layout is a map; a plain flag, so that queries of items do not copy the map.
    package let isMap: Bool
    /// Whether photos are clusters on a map, whose frames depend on the positions of all photos; a plain flag as well.
    package let hasClusters: Bool
    /// The map, if the layout is one; its sections are not contiguous in the stream, which affects other parts.
    let map: MapAlgorithm?

    /// Resolves the algorithm of a key; nothing is placed yet.
    public init(_ key: LayoutKey) {
        self.key = key
        axes = LayoutAxes(key)
        algorithm = key.algorithm.parameters.layoutAlgorithm(of: key)
        bands = SectionBands(key)
        foldsBackward = algorithm.foldsBackward
        captions = algorithm.captions
        map = algorithm as? MapAlgorithm
        isMap = map != nil
        hasClusters = map?.grid != nil
    }

    /// The state before the first photo; its origin is the start of the content, after the content inset.
    public var initialState: LayoutState {
        algorithm.layoutState(sectionMark: nil)
    }

    /// Places consecutive photos.
    ///
    /// - Parameters:
    ///   - items: The photos after `state`, in stream order; those before it if the layout folds backward.
    ///   - state: The state that an earlier call returned, or ``initialState``.
    /// - Returns: Frames relative to the origin of `state`.
    /// - Complexity: O(items); O(items × log columns) for masonry with more than eight columns, O(items × open breaks)
    ///   for optimal breaks, at most 1,024 of them.
    public func place(_ items: PackedMetrics, from state: LayoutState) -> ChunkPlacement {
        place(items, from: state, checking: {})
    }

    /// Places consecutive photos; `check` may cancel.
    ///
    /// - Parameters:
    ///   - items: See ``place(_:from:)``.
    ///   - state: See ``place(_:from:)``.
    ///   - check: Called every 64 photos with optimal breaks, whose photos take longer than a few nanoseconds. An error
    ///     that it throws ends the work.
    /// - Returns: The same as ``place(_:from:)``.
    /// - Throws: Any error that `check` throws.
    /// - Complexity: The same as ``place(_:from:)``.
    public func place<Failure>(
        _ items: PackedMetrics, from state: LayoutState, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        let folded = foldsBackward ? items.reversed : items
        let borders = SectionBorders(folded, sectioning: key.sections.sectioning, open: state.sectionMark)
        return try algorithm.place(
            after: state, in: fold(folded, items: items, borders: borders, from: state), checking: check)
    }

    /// Ends everything that is open after the last photo's state: a line that is not full, the section, the content.
    ///
    /// - Returns: The items that were placed, and the extent of the rest of the content.
    public func close(_ state: LayoutState) -> LayoutEnding {
        close(state, borders: SectionBorders(starts: []))
    }

    /// Places consecutive photos in given sections, regardless of their dates.
    ///
    /// - Parameters:
    ///   - items: The photos in stream order.
    ///   - borders: The borders of sections, in the order of folding.
    ///   - state: The state that an earlier call returned.
    /// - Returns: The same as ``place(_:from:)``.
    public func place(_ items: PackedMetrics, borders: SectionBorders, from state: LayoutState) -> ChunkPlacement {
        algorithm.place(
            after: state, in: fold(foldsBackward ? items.reversed : items, items: items, borders: borders, from: state),
            checking: {})
    }

    /// Ends a layout like ``close(_:)``, with `borders` of the empty sections after the last photo, at position 0.
    public func close(_ state: LayoutState, borders: SectionBorders) -> LayoutEnding {
        // Only pending photos are left, so an empty run ends everything.
        algorithm.close(after: state, in: fold(.none, items: .none, borders: borders, from: state))
    }

    private func fold(
        _ folded: PackedMetrics, items: PackedMetrics, borders: SectionBorders, from state: LayoutState
    ) -> ChunkFold {
        ChunkFold(
            items: folded, streamItems: items, borders: borders, sectionMark: state.sectionMark,
            hasItems: state.hasItems, lineSpacing: key.lineSpacing, bands: foldedBands,
            isUndivided: key.sections.sectioning == .none)
    }

    /// The caption's part of a cell's height, in device pixels.
    @inline(__always)
    func captionExtent(of item: ItemMetrics) -> Int64 {
        item.hasCaption || captions.isForEveryItem ? captions.extent : 0
    }

    /// Whether any frame depends on the photos rather than only on their number.
    package var readsMetrics: Bool { !algorithm.readsNothing || key.sections.sectioning != .none }

    /// Whether nothing has to be stored, because every frame follows from the photos that a query touches.
    package var placesByFunction: Bool { isMap || !readsMetrics }

    /// Whether it places photos like another engine, so that frames are valid for both.
    ///
    /// Pinning, mirroring and the elements over items may differ.
    public func placesItemsLike(_ other: LayoutEngine) -> Bool {
        algorithm.isEqual(to: other.algorithm) && bands == other.bands && key.lineSpacing == other.key.lineSpacing
            && key.sections.sectioning == other.key.sections.sectioning
    }

    /// Whether it reads the positions of photos on the world.
    package var readsPositions: Bool { isMap }
}

extension LayoutAlgorithm {
    /// The state before the first photo of a section.
    func layoutState(sectionMark: SectionMark?) -> LayoutState {
        LayoutState(sectionMark: sectionMark, hasItems: false, algorithm: initialState)
    }

    @inline(__always)
    func place<Failure>(
        after state: LayoutState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        try place(from: state.of(State.self), in: fold, checking: check)
    }

    @inline(__always)
    func close(after state: LayoutState, in fold: ChunkFold) -> LayoutEnding {
        close(state.of(State.self), in: fold)
    }
}

extension PackedMetrics {
    /// No photos.
    package static let none = PackedMetrics(words: EmptyCollection())
}

/// The bands before and after the items of every section, in device pixels along the scroll axis.
struct SectionBands: Hashable, Sendable {
    let header: Int64
    let footer: Int64
    let inset: AxisInsets

    init(_ key: LayoutKey) {
        header = key.sections.headerExtent
        footer = key.sections.footerExtent
        inset = LayoutAxes(key).insets(key.sections.inset)
    }

    /// The distance from a section's origin to its items.
    var before: Int64 { header + inset.before }
    /// The distance from the end of its items to the end of the section.
    var after: Int64 { inset.after + footer }
}
