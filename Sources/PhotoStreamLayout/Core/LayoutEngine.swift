public import PhotoStreamModel

/// A layout as a fold: a pure function of (state, item metrics) to (state, frames).
///
/// Same input, same output, on every platform: extents are computed in `Double` from whole numbers and rounded once,
/// everything else is integers.
///
/// ```
/// state ──▶ place(chunk 0) ──▶ state ──▶ place(chunk 1) ──▶ … ──▶ close(state) ──▶ content size
///                │                           │                        │
///                ▼                           ▼                        ▼
///             frames                      frames             what was still open
/// ```
///
/// A layout that is packed from the end of the stream is the same fold from the last photo to the first: see
/// ``foldsBackward``.
///
///     let engine = LayoutEngine(try LayoutKey(configuration))
///     let first = engine.place(photos[0..<1_000], from: engine.initialState)
///     let second = engine.place(photos[1_000..<2_000], from: first.exitState)
///     let ending = engine.close(second.exitState)
public struct LayoutEngine: Hashable, Sendable {
    /// The configuration that it follows.
    public let key: LayoutKey
    let axes: LayoutAxes
    let algorithm: any LayoutAlgorithm
    let bands: SectionBands
    /// Whether the fold begins with the last photo: chunks are placed, and added to a directory, from the last to the
    /// first.
    public let foldsBackward: Bool
    // What is asked for each item is here, so that no item opens the algorithm.
    private let captions: CaptionRule
    /// Whether the layout is a map; a plain flag, so that questions about items copy nothing of the map.
    let isMap: Bool
    /// The map, where the layout is one: its sections are not runs of the stream, which other parts have to know.
    let map: MapAlgorithm?

    /// Resolves the algorithm of a key, once; nothing is placed yet.
    public init(_ key: LayoutKey) {
        self.key = key
        axes = LayoutAxes(key)
        algorithm = key.algorithm.parameters.layoutAlgorithm(of: key)
        bands = SectionBands(key)
        foldsBackward = algorithm.foldsBackward
        captions = algorithm.captions
        map = algorithm as? MapAlgorithm
        isMap = map != nil
    }

    /// Whether two engines have equal keys, from which all else follows.
    public static func == (left: LayoutEngine, right: LayoutEngine) -> Bool { left.key == right.key }

    /// Hashes the engine.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }

    /// The state before the first photo; its origin is the start of the content, after the content inset.
    public var initialState: LayoutState {
        algorithm.layoutState(sectionMark: nil)
    }

    /// Places consecutive photos.
    ///
    /// - Parameters:
    ///   - items: The photos after `state`, in stream order; those before it where the layout folds backward.
    ///   - state: The state that an earlier call left, or ``initialState``.
    /// - Returns: Frames relative to the origin of `state`.
    /// - Complexity: O(items); O(items × log columns) for masonry in more than eight columns, O(items × open breaks)
    ///   for optimal breaks, of which at most 1,024 are open.
    public func place(_ items: PackedMetrics, from state: LayoutState) -> ChunkPlacement {
        place(items, from: state, checking: {})
    }

    /// Places consecutive photos, unless that is not wanted any more.
    ///
    /// - Parameters:
    ///   - items: As for ``place(_:from:)``.
    ///   - state: As for ``place(_:from:)``.
    ///   - check: Called every 64 photos where a photo takes longer than some nanoseconds: with optimal breaks. What it
    ///     throws ends the work.
    /// - Returns: As ``place(_:from:)``.
    /// - Throws: Any error that `check` throws.
    /// - Complexity: As ``place(_:from:)``.
    public func place<Failure>(
        _ items: PackedMetrics, from state: LayoutState, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement {
        let folded = foldsBackward ? items.reversed : items
        let borders = SectionBorders(folded, sectioning: key.sections.sectioning, open: state.sectionMark)
        return try algorithm.place(
            after: state, in: fold(folded, items: items, borders: borders, from: state), checking: check)
    }

    /// Ends what is still open after the last photo: a line that is not full, the section, the content.
    ///
    /// - Parameter state: The state after the last photo.
    /// - Returns: The items that were placed, with the extent of the rest of the content.
    public func close(_ state: LayoutState) -> LayoutEnding {
        close(state, borders: SectionBorders(starts: []))
    }

    /// Places consecutive photos in given sections, whatever their dates.
    ///
    /// - Parameters:
    ///   - items: The photos in stream order.
    ///   - borders: The borders where sections begin, in the order of folding.
    ///   - state: The state that an earlier call left.
    /// - Returns: As ``place(_:from:)``.
    public func place(_ items: PackedMetrics, borders: SectionBorders, from state: LayoutState) -> ChunkPlacement {
        algorithm.place(
            after: state, in: fold(foldsBackward ? items.reversed : items, items: items, borders: borders, from: state),
            checking: {})
    }

    /// Ends what is still open; see ``close(_:)``.
    ///
    /// - Parameters:
    ///   - state: The state after the last photo.
    ///   - borders: The borders of the empty sections after it, at position 0.
    /// - Returns: As ``close(_:)``.
    public func close(_ state: LayoutState, borders: SectionBorders) -> LayoutEnding {
        // Nothing is left to place but what is pending, so an empty run ends it all.
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

    /// Whether anything that it places depends on the photos, rather than on their number.
    package var readsMetrics: Bool { !algorithm.readsNothing || key.sections.sectioning != .none }

    /// Whether nothing of it has to be stored, since all follows from the photos that a question touches.
    package var placesByFunction: Bool { isMap || !readsMetrics }

    /// Whether it places photos as another engine does, so that frames hold for both.
    ///
    /// Pinning, mirroring and the elements over items may differ.
    public func placesItemsLike(_ other: LayoutEngine) -> Bool {
        algorithm.isEqual(to: other.algorithm) && bands == other.bands && key.lineSpacing == other.key.lineSpacing
            && key.sections.sectioning == other.key.sections.sectioning
    }

    /// Whether it reads where photos were taken.
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

    /// From a section's origin to its items.
    var before: Int64 { header + inset.before }
    /// From the end of its items to the section's.
    var after: Int64 { inset.after + footer }
}
