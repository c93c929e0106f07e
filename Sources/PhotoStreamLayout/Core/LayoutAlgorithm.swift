import PhotoStreamModel

/// A layout algorithm with the parameters that it takes from a key.
///
/// One conforming type, in a folder of its own, contains everything that is specific to an algorithm: the fold over a
/// run of photos, the state between two photos (``State``), the frames of a run (``Frames``), their encodings, and the
/// queries about them. An algorithm that places each photo immediately conforms to ``ImmediateAlgorithm``, one that
/// folds lines to ``LineAlgorithm``; ``PlacedAlgorithm`` follows a ``PlacementRule``. The list of all algorithms is in
/// `LayoutKey+Algorithm.swift`.
///
/// A ``LayoutEngine`` holds an algorithm of any type and opens the existential once per query of a chunk, never per
/// item. Default implementations are specialized for each conforming type, so no loop over items runs unspecialized
/// code.
protocol LayoutAlgorithm: Hashable, Sendable {
    /// The state of the algorithm between two photos of a section.
    associatedtype State: AlgorithmState
    /// The frames of a run, in as few bytes as possible; the rest follows from the photos' metrics.
    associatedtype Frames: AlgorithmFrames

    // MARK: Folding

    /// The state before the first photo of a section.
    var initialState: State { get }

    /// Whether packing begins with the last photo.
    var foldsBackward: Bool { get }

    /// Places the photos of a run.
    ///
    /// - Parameters:
    ///   - state: The state before the run.
    ///   - fold: The photos and the borders of sections among them.
    ///   - check: Called every few photos if a photo takes more than a few nanoseconds.
    /// - Returns: The placement.
    /// - Throws: Any error that `check` throws.
    func place<Failure>(
        from state: State, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement

    /// Ends the open line and section after the state of the last folded photo, with a run without photos.
    ///
    /// - Returns: The items that were placed, and the extent of the rest of the content.
    func close(_ state: State, in fold: ChunkFold) -> LayoutEnding

    /// Places the photos of a run after a type-erased state; see ``place(from:in:checking:)``.
    ///
    /// - Precondition: The state belongs to this layout.
    func place<Failure>(
        after state: LayoutState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement

    /// Ends a layout after a type-erased state; see ``close(_:in:)``.
    ///
    /// - Precondition: The state belongs to this layout.
    func close(after state: LayoutState, in fold: ChunkFold) -> LayoutEnding

    // MARK: Encoded forms

    /// Reads a state from the start of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` if the bytes are not a state.
    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> State

    /// Whether a decoded state is possible in a section.
    func isValid(_ state: State, sectionMark: SectionMark?, hasItems: Bool) -> Bool

    /// Whether pages can continue from a decoded state.
    func resumes(_ state: State, at index: Int, section: CursorSection?, line: CursorLine?) -> Bool

    /// Reads frames.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of ``AlgorithmFrames/encoded``.
    ///   - count: The number of items that they place.
    /// - Returns: `nil` if the bytes are not frames of that many items, or frames are never stored.
    func frames(decoding bytes: [UInt8], count: Int) -> Frames?

    // MARK: Properties

    /// The caption's part of a cell's height.
    var captions: CaptionRule { get }

    /// Whether items are in lines, with separators between them.
    var standsInLines: Bool { get }

    /// Whether frames depend on positions in a section only, so that no photo is read.
    var readsNothing: Bool { get }

    /// The rule for the position of a dragged item.
    var dropRule: DropRule { get }

    /// The algorithm itself if it folds lines; `nil` if it places each photo immediately.
    var lines: (any LineAlgorithm)? { get }

    // MARK: Queries of a chunk

    /// The frame of one item.
    ///
    /// - Parameters:
    ///   - position: Its position among the items that the chunk's run placed.
    ///   - chunk: The photos and frames that the run placed.
    ///   - index: Its position in stream order.
    ///   - base: The base of the chunk's tops.
    ///   - directory: The index of chunks and sections.
    /// - Returns: The whole cell along and across the scroll axis, or `nil` if the item is left out.
    /// - Complexity: O(1) for masonry and cells of one size, O(log lines + items of the line) for lines.
    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame?

    /// Calls `body` with the items of a chunk that meet a frame, in stream order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - range: A frame along and across the scroll axis, not empty.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - entry: The chunk's entry in the directory.
    ///   - directory: The index of chunks and sections.
    ///   - body: Receives an item's position among those placed and its frame; returns whether to continue.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: O(log items + result); if tops may decrease (round robin, spans or a tolerance), O(items / 64 +
    ///   items of the boxes that meet the range).
    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool

    /// Calls `body` with the lines that begin in a range, in stream order, until it returns `false`.
    ///
    /// In a masonry, in a map and with a placement rule, every item is a line of its own. Hidden lines are skipped.
    ///
    /// - Parameters:
    ///   - range: Device pixels along the scroll axis.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - entry: The chunk's entry in the directory.
    ///   - directory: The index of chunks and sections.
    ///   - body: Receives the position in stream order of a line's first item, which the chunk's run placed, and the
    ///     line's top; returns whether to continue.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: The same as ``forEachItem(in:of:at:in:_:)``.
    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool

    /// The items of the line that contains an item.
    ///
    /// - Parameters:
    ///   - index: The item's position in stream order.
    ///   - chunk: The photos and frames that the run placed.
    ///   - entry: The chunk's entry in the directory.
    ///   - directory: The index of chunks and sections.
    /// - Returns: Positions in stream order; only the item itself if each item is a line of its own.
    func line(
        holding index: Int, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> Range<Int>

    /// The frames of the items of a line, in stream order, without hidden ones.
    ///
    /// - Parameters:
    ///   - items: The items of the line, from ``line(holding:of:at:in:)``.
    ///   - chunk: The photos and frames that the run placed.
    ///   - entry: The chunk's entry in the directory.
    ///   - directory: The index of chunks and sections.
    /// - Returns: The whole cells along and across the scroll axis.
    func frames(
        ofLine items: Range<Int>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> [AxisFrame]

    // MARK: Queries of a layout

    /// Calls `body` with the items that meet a rectangle; see ``LayoutSource/forEachItem(in:from:_:)``.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space, not empty.
    ///   - first: Items before this position are skipped.
    ///   - directory: The index of chunks and sections.
    ///   - chunkAt: Returns the photos and frames that the run of a chunk placed.
    ///   - body: Receives an item's position in stream order and its frame; returns whether to continue.
    /// - Throws: Any error that `chunkAt` throws.
    func forEachItem<Failure>(
        in rect: PixelRect, from first: Int, of directory: LayoutDirectory,
        chunkAt: (Int) throws(Failure) -> PlacedChunk, _ body: (Int, PixelRect) -> Bool
    ) throws(Failure)

    /// The attributes of the items that meet a rectangle; see ``LayoutSource/items(in:from:limit:)``.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space, not empty.
    ///   - first: Items before this position are skipped.
    ///   - limit: The maximum number of items, at least 1.
    ///   - directory: The index of chunks and sections.
    ///   - chunkAt: Returns the photos and frames that the run of a chunk placed.
    /// - Returns: The attributes in stream order.
    /// - Throws: Any error that `chunkAt` throws.
    func items<Failure>(
        in rect: PixelRect, from first: Int, limit: Int, of directory: LayoutDirectory,
        _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> [LayoutAttributes]

    // MARK: Pages

    /// The position of the first item of a page that contains an item: the start of its line, if the limit allows it
    /// and lines follow from positions.
    func firstItem(ofPageWith index: Int, limit: Int, in directory: LayoutDirectory) -> Int

    /// Adds items to a page.
    ///
    /// - Parameters:
    ///   - builder: The page.
    ///   - items: The photos after the page so far: more than `limit`, or all that remain.
    ///   - isEnd: Whether no photo follows `items`.
    ///   - limit: The maximum number of items on the page, at least 1.
    ///   - check: See ``place(from:in:checking:)``.
    /// - Returns: Whether the end of the page is known; otherwise, more photos are needed.
    /// - Throws: Any error that `check` throws.
    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool
}

/// The state of an algorithm between two photos of a section, relative to its own origin.
protocol AlgorithmState: Hashable, Sendable {
    /// The number of photos before the state that are not placed yet.
    var pendingCount: Int { get }

    /// The state at the start of the open line or of the undecided items.
    var withoutPending: Self { get }

    /// The state as an enumeration case.
    var content: StateContent { get }

    /// Appends the state as bytes.
    func encode(into bytes: inout [UInt8])
}

/// The frames of a run: the part that cannot be derived from the metrics.
protocol AlgorithmFrames: Equatable, Sendable {
    /// The number of items.
    var count: Int { get }

    /// The size in memory.
    var byteCount: Int { get }

    /// The frames as bytes.
    var encoded: [UInt8] { get }

    /// The frames as an enumeration case.
    var content: ChunkFrames { get }
}

/// The caption's part of a cell's height: a plain value, so that no algorithm is opened per item.
struct CaptionRule: Hashable, Sendable {
    /// Device pixels.
    let extent: Int64
    /// Whether a cell reserves space for a caption even if its photo has none.
    var isForEveryItem = false
}

/// The rule that maps the point of a dragged item to a position among other items.
enum DropRule {
    /// Before the first item of the nearest line whose middle across the scroll axis lies after the point.
    case inLine
    /// Before or after the nearest cell of the nearest column; at the section's start or end if the column is empty.
    case inColumn([Range<Int64>], isEmptyAtStart: Bool)
    /// Before or after the nearest cell.
    case byNearestItem
}

extension LayoutAlgorithm {
    var foldsBackward: Bool { false }
    var standsInLines: Bool { false }
    var readsNothing: Bool { false }
    var dropRule: DropRule { .byNearestItem }
    var lines: (any LineAlgorithm)? { nil }

    func isValid(_ state: State, sectionMark: SectionMark?, hasItems: Bool) -> Bool { true }

    func resumes(_ state: State, at index: Int, section: CursorSection?, line: CursorLine?) -> Bool { line == nil }

    func line(
        holding index: Int, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> Range<Int> {
        index..<index + 1
    }

    func frames(
        ofLine items: Range<Int>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> [AxisFrame] {
        items.compactMap {
            frame(at: $0 - entry.placed.lowerBound, of: chunk, index: $0, base: entry.base, in: directory)
        }
    }

    func firstItem(ofPageWith index: Int, limit: Int, in directory: LayoutDirectory) -> Int { index }

    /// The frames of a chunk, in the algorithm's own type.
    @inline(__always)
    func frames(of chunk: PlacedChunk) -> Frames { chunk.frames(as: Frames.self) }

    /// Whether two algorithms are of one type and equal.
    func isEqual(to other: any LayoutAlgorithm) -> Bool { other as? Self == self }
}

extension AlgorithmState {
    var pendingCount: Int { 0 }
    var withoutPending: Self { self }
}
