import PhotoStreamModel

/// A way to lay photos out, with the numbers that it needs of a key.
///
/// One conforming type, in a folder of its own, holds all that is special about an algorithm: how a run of photos is
/// folded, what is remembered between two photos (``State``), what is kept of a run (``Frames``), how both are encoded,
/// and how the questions about them are answered. An algorithm that places each photo as it comes conforms to
/// ``ImmediateAlgorithm``, one that folds lines to ``LineAlgorithm``; ``PlacedAlgorithm`` follows a ``PlacementRule``.
/// The list of all algorithms is in `LayoutKey+Algorithm.swift`.
///
/// A ``LayoutEngine`` holds an algorithm of any type and opens it once for a question about a chunk, never for an item.
/// Default implementations are compiled for each conforming type, so no loop over items runs unspecialised code.
protocol LayoutAlgorithm: Hashable, Sendable {
    /// The state of the algorithm between two photos of a section.
    associatedtype State: AlgorithmState
    /// The frames of a run, in as few bytes as possible: the rest follows from the photos' metrics.
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
    ///   - fold: The photos, and where sections begin among them.
    ///   - check: Called every few photos where a photo takes longer than some nanoseconds.
    /// - Returns: The placement.
    /// - Throws: Any error that `check` throws.
    func place<Failure>(
        from state: State, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement

    /// Ends what is still open.
    ///
    /// - Parameters:
    ///   - state: The state after the last photo that was folded.
    ///   - fold: A run without photos.
    /// - Returns: The items that were placed, with the extent of the rest of the content.
    func close(_ state: State, in fold: ChunkFold) -> LayoutEnding

    /// Places the photos of a run after a state of any layout; see ``place(from:in:checking:)``.
    ///
    /// - Precondition: The state is one of this layout's.
    func place<Failure>(
        after state: LayoutState, in fold: ChunkFold, checking check: () throws(Failure) -> Void
    ) throws(Failure) -> ChunkPlacement

    /// Ends what is still open after a state of any layout; see ``close(_:in:)``.
    ///
    /// - Precondition: The state is one of this layout's.
    func close(after state: LayoutState, in fold: ChunkFold) -> LayoutEnding

    // MARK: Encoded forms

    /// Takes a state off the front of bytes.
    ///
    /// - Throws: ``LayoutError/invalidState`` when the bytes do not hold one.
    func state(decoding rest: inout ArraySlice<UInt8>) throws(LayoutError) -> State

    /// Whether a decoded state can stand where its bytes say.
    func isValid(_ state: State, sectionMark: SectionMark?, hasItems: Bool) -> Bool

    /// Whether a chain of pages can go on from a decoded state.
    func resumes(_ state: State, at index: Int, section: CursorSection?, line: CursorLine?) -> Bool

    /// Reads frames.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of ``AlgorithmFrames/encoded``.
    ///   - count: The number of items that they place.
    /// - Returns: `nil` when the bytes are not frames of that many items, and where frames are never stored.
    func frames(decoding bytes: [UInt8], count: Int) -> Frames?

    // MARK: What others ask

    /// The caption's part of a cell's height.
    var captions: CaptionRule { get }

    /// Whether items stand in lines, with separators between them.
    var standsInLines: Bool { get }

    /// Whether places follow from positions in a section alone, so that nothing of a photo is read.
    var readsNothing: Bool { get }

    /// The place of a dragged item among others.
    var dropRule: DropRule { get }

    /// The algorithm itself where lines are folded; `nil` where each photo is placed as it comes.
    var lines: (any LineAlgorithm)? { get }

    // MARK: Questions about a chunk

    /// The frame of one item.
    ///
    /// - Parameters:
    ///   - position: Its position among those that the chunk's run placed.
    ///   - chunk: The photos and frames that the run placed.
    ///   - index: Its position in stream order.
    ///   - base: The place from which the chunk's tops are counted.
    ///   - directory: The places of chunks and sections.
    /// - Returns: The whole cell along and across the scroll axis, or `nil` for one that is left out.
    /// - Complexity: O(1) for masonry and cells of one size, O(log lines + items of the line) for lines.
    func frame(
        at position: Int, of chunk: PlacedChunk, index: Int, base: Int64, in directory: LayoutDirectory
    ) -> AxisFrame?

    /// Calls `body` with the items of a chunk that meet a frame, in stream order, until it returns `false`.
    ///
    /// - Parameters:
    ///   - range: A frame along and across the scroll axis, not empty.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - entry: The place of the chunk.
    ///   - directory: The places of chunks and sections.
    ///   - body: Takes an item's position among those placed and its frame; returns whether to go on.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: O(log items + result); where tops may fall (in turn, with spans or a tolerance) O(items / 64 +
    ///   items of the boxes that the range meets).
    func forEachItem(
        in range: AxisFrame, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, AxisFrame) -> Bool
    ) -> Bool

    /// Calls `body` with the lines that begin in a range, in stream order, until it returns `false`.
    ///
    /// In a masonry, in a map and after a placement rule every item is a line of its own. Lines that are left out are left
    /// out here too.
    ///
    /// - Parameters:
    ///   - range: Device pixels along the scroll axis.
    ///   - chunk: The photos and frames that the chunk's run placed.
    ///   - entry: The place of the chunk.
    ///   - directory: The places of chunks and sections.
    ///   - body: Takes the position in stream order of a line's first item, which the chunk's run placed, and the
    ///     line's top; returns whether to go on.
    /// - Returns: Whether `body` never returned `false`.
    /// - Complexity: As ``forEachItem(in:of:at:in:_:)``.
    func forEachLine(
        startingIn range: Range<Int64>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory,
        _ body: (Int, Int64) -> Bool
    ) -> Bool

    /// The items of the line that an item stands in.
    ///
    /// - Parameters:
    ///   - index: The item's position in stream order.
    ///   - chunk: The photos and frames that the run placed.
    ///   - entry: The place of the chunk.
    ///   - directory: The places of chunks and sections.
    /// - Returns: Positions in stream order; the item alone where each item is a line of its own.
    func line(
        holding index: Int, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> Range<Int>

    /// The frames of the items of a line, in stream order, without those that are left out.
    ///
    /// - Parameters:
    ///   - items: The items of the line, from ``line(holding:of:at:in:)``.
    ///   - chunk: The photos and frames that the run placed.
    ///   - entry: The place of the chunk.
    ///   - directory: The places of chunks and sections.
    /// - Returns: The whole cells along and across the scroll axis.
    func frames(
        ofLine items: Range<Int>, of chunk: PlacedChunk, at entry: ChunkEntry, in directory: LayoutDirectory
    ) -> [AxisFrame]

    // MARK: Questions about a layout

    /// Calls `body` with the items that meet a rectangle; see ``LayoutSource/forEachItem(in:from:_:)``.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space, not empty.
    ///   - first: Items before this position are left out.
    ///   - directory: The places of chunks and sections.
    ///   - chunkAt: Returns the photos and frames that the run of a chunk placed.
    ///   - body: Takes an item's position in stream order and its frame; returns whether to go on.
    /// - Throws: Any error that `chunkAt` throws.
    func forEachItem<Failure>(
        in rect: PixelRect, from first: Int, of directory: LayoutDirectory,
        chunkAt: (Int) throws(Failure) -> PlacedChunk, _ body: (Int, PixelRect) -> Bool
    ) throws(Failure)

    /// The attributes of the items that meet a rectangle; see ``LayoutSource/items(in:from:limit:)``.
    ///
    /// - Parameters:
    ///   - rect: In device pixels of content space, not empty.
    ///   - first: Items before this position are left out.
    ///   - limit: The greatest number of items, at least 1.
    ///   - directory: The places of chunks and sections.
    ///   - chunkAt: Returns the photos and frames that the run of a chunk placed.
    /// - Returns: The attributes in stream order.
    /// - Throws: Any error that `chunkAt` throws.
    func items<Failure>(
        in rect: PixelRect, from first: Int, limit: Int, of directory: LayoutDirectory,
        _ chunkAt: (Int) throws(Failure) -> PlacedChunk
    ) throws(Failure) -> [LayoutAttributes]

    // MARK: Pages

    /// The position of the first item of a page that holds an item: the start of its line, if the limit allows and
    /// lines follow from positions.
    func firstItem(ofPageWith index: Int, limit: Int, in directory: LayoutDirectory) -> Int

    /// Adds items to a page.
    ///
    /// - Parameters:
    ///   - builder: The page.
    ///   - items: The photos after the page so far: more than `limit`, or all that there are.
    ///   - isEnd: Whether no photo follows `items`.
    ///   - limit: The maximum number of items on the page, at least 1.
    ///   - check: As for ``place(from:in:checking:)``.
    /// - Returns: Whether the end of the page is known; more photos are needed where it is not.
    /// - Throws: Any error that `check` throws.
    func addPage<Failure>(
        to builder: inout PageBuilder, _ items: PackedMetrics, isEnd: Bool, limit: Int,
        checking check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool
}

/// The state of an algorithm between two photos of a section, relative to its own origin.
protocol AlgorithmState: Hashable, Sendable {
    /// The number of photos before it that are not placed yet.
    var pendingCount: Int { get }

    /// The state at the start of the line that is open, or of what is undecided.
    var withoutPending: Self { get }

    /// The state as one of the cases that there are.
    var content: StateContent { get }

    /// Appends the state as bytes.
    func encode(into bytes: inout [UInt8])
}

/// The frames of a run: where its items stand, as far as that does not follow from their metrics.
protocol AlgorithmFrames: Hashable, Sendable {
    /// The number of items.
    var count: Int { get }

    /// The memory that they take.
    var byteCount: Int { get }

    /// The frames as bytes.
    var encoded: [UInt8] { get }

    /// The frames as one of the cases that there are.
    var content: ChunkFrames { get }

    /// The frames of the type's own case; `nil` for another case.
    static func unwrapped(_ content: ChunkFrames) -> Self?
}

/// The caption's part of a cell's height: a plain value, so that no item asks an algorithm.
struct CaptionRule: Hashable, Sendable {
    /// Device pixels.
    let extent: Int64
    /// Whether a cell keeps room for a caption that its photo does not have.
    var isForEveryItem = false
}

/// The place among others that an item gets when it is dragged to a point.
enum DropRule {
    /// Before the first item of the nearest line whose middle across the scroll axis lies after the point.
    case inLine
    /// Before or after the nearest cell of the nearest column; at the section's start or end where the column is empty.
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

    /// The frames of a chunk, as the algorithm keeps them.
    @inline(__always)
    func frames(of chunk: PlacedChunk) -> Frames { chunk.frames(as: Frames.self) }

    /// Whether two algorithms are of one type and equal.
    func isEqual(to other: any LayoutAlgorithm) -> Bool { other as? Self == self }
}

extension AlgorithmState {
    var pendingCount: Int { 0 }
    var withoutPending: Self { self }
}
