import Logging
public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// The part of a view's scroll position that is kept when the content around it changes.
public enum ScrollKeeping: String, Hashable, Sendable, CaseIterable {
    /// The place of the top item on the screen: the offset changes by as much as the item moves in the content.
    case item
    /// The content offset, counted from the start of the content in reading direction: photos that are inserted before
    /// the visible items push them on.
    case offset
}

extension SessionLayout {
    /// Returns the updates that a collection view needs to get from a revision to the current layout: only the elements
    /// of a rectangle that appear, disappear, move or are drawn again.
    ///
    /// Old layouts are not stored. The old layout is computed by reverting the change log.
    ///
    /// - Parameters:
    ///   - revision: The revision of an earlier answer about this stream.
    ///   - rect: The bounds on the screen, in points of the old content.
    ///   - keeping: The part of the scroll position that is kept. With ``ScrollKeeping/item``, the offset keeps the
    ///     anchor at its place on the screen. With ``ScrollKeeping/offset``, there is no anchor, and the offset is that
    ///     of `rect`, or the nearest in the content, as if `targetContentOffset(forProposedContentOffset:)` of a
    ///     `UICollectionViewLayout` returned the proposed offset.
    ///   - withPhotos: Whether insertions and reloads contain the photos, not only their places.
    ///   - progress: Called now and then with the fraction done, up to 1. An error ends the work.
    /// - Returns: The updates, or the reason to read the stream again: always one on a map with clusters, and for a condition
    ///   that depends on the current day or on the name of the stream.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/invalidRevision(_:)``,
    ///   ``StreamServiceError/crowdedRect(_:count:maximum:)`` for a rectangle that meets more than
    ///   ``PhotoStreamService/maximumLimit`` photos.
    /// - Complexity: That of ``Session/changes(of:where:since:)``, O(chunks), and the photos of the chunks that contain a
    ///   change, and of those after them until the layout reaches an old state again.
    public func updates(
        since revision: Revision, in rect: Rect, keeping: ScrollKeeping = .item, withPhotos: Bool = false,
        progress: (Double) throws -> Void = { _ in }
    ) throws -> ChangesOrReload<UpdatesAnswer> {
        let bounds = try key.displayScale.pixels(covering: rect)
        guard !engine.hasClusters else {
            return try session.currentRevision(of: stream, since: revision).flatMap { now in
                .reload(
                    ReloadAnswer(stream: stream.name, since: revision, revision: now, reason: .clusters))
            }
        }
        let placed = try placed { try progress($0 / 2) }
        return try session.netChanges(of: stream, among: view, since: revision).map { changes, _ in
            let layouts = try session.layoutPair(before: changes, placed) { try progress(0.5 + $0 / 2) }
            session.service.logger.debug(
                "laid out as it was",
                metadata: [
                    "stream": "\(stream.name)", "revision": "\(revision)", "changes": "\(changes.count)",
                    "folded": "\(layouts.old.foldedCount)",
                ])
            let anchor = keeping == .item ? try layouts.anchor(in: bounds) : nil
            let target = try layouts.newBounds(bounds, anchor: anchor, keeping: keeping)
            try layouts.checkCount(in: rect, bounds, now: target)
            var answer = try layouts.updates(in: bounds, now: target, anchor: anchor, since: revision)
            if withPhotos {
                answer.insertions = try layouts.withPhotos(answer.insertions, of: photos, in: session)
                answer.reloads = try layouts.withPhotos(answer.reloads, of: photos, in: session)
            }
            return answer
        }
    }
}

extension SessionLayout {
    /// Returns the reason to read the layout again, to readers who may not know which photos met a condition before.
    ///
    /// - Throws: As ``updates(since:in:keeping:withPhotos:progress:)``.
    package func refusedUpdates(since revision: Revision) throws -> ChangesOrReload<UpdatesAnswer> {
        try session.refusedChanges(of: stream.name, since: revision)
    }
}

extension Session {
    /// Returns the layout before changes, and the current one.
    ///
    /// No other query needs the data that are folded here, so the work ends if the caller's task is cancelled.
    func layoutPair(
        before changes: [NetChange], _ placed: PlacedStream, progress: (Double) throws -> Void = { _ in }
    ) throws -> LayoutPair {
        let fold = InFlightFold()
        defer { service.layouts.end(fold) }
        let work = ChunkWork(service, for: fold, in: reader)
        let past = try reader.pastStream(placed.laidOut.chunks, before: changes) { part in
            try work.begin()
            try progress(part / 2)
        }
        let old = try PastLayout(past, now: placed, work: work) { try progress(0.5 + $0 / 2) }
        return LayoutPair(old: old, new: placed, past)
    }
}

/// An old and the current layout.
struct LayoutPair {
    let old: PastLayout
    let new: PlacedStream
    private let mapping: ItemMapping
    private let changed: [Int: NetChange]

    init(old: PastLayout, new: PlacedStream, _ past: PastStream) {
        self.old = old
        self.new = new
        changed = past.changed
        mapping = ItemMapping(
            runs: past.runs.lazy.map { ItemRun(old: $0.old, count: $0.count, isReplaced: $0.isUpdated) })
    }

    fileprivate func updates(
        in bounds: PixelRect, now newBounds: PixelRect, anchor: Anchor?, since revision: Revision
    ) throws -> UpdatesAnswer {
        let updates = try LayoutUpdates(from: old, to: new, with: mapping, in: bounds, now: newBounds)
        let names = try names(of: updates)
        func named(_ updates: [ElementUpdate]) -> [PhotoUpdate] {
            updates.map { PhotoUpdate(photo: names.photo(of: $0), element: $0, item: nil) }
        }
        let isHorizontal = old.directory.engine.key.scrollDirection == .horizontal
        return UpdatesAnswer(
            context: new.context, since: revision, oldContentSize: old.directory.contentSize,
            oldBounds: bounds, newBounds: newBounds, contentOffset: isHorizontal ? newBounds.x : newBounds.y,
            anchor: try anchor.flatMap { anchor in try anchor.isSame ? id(ofNew: anchor.newIndex) : nil },
            insertions: named(updates.insertions), deletions: named(updates.deletions), moves: named(updates.moves),
            reloads: named(updates.reloads))
    }

    /// Returns updates whose photos have their fields and pictures.
    fileprivate func withPhotos(
        _ updates: [PhotoUpdate], of named: NamedPhotos, in session: borrowing Session
    ) throws -> [PhotoUpdate] {
        let positions = updates.indices.filter { updates[$0].element.new?.elementKind == .item }
        let places = positions.compactMap { updates[$0].element.new }
        let rowIDs = try new.rowIDs(of: places.map(\.index))
        let photos = try new.reader.photos(rowIDs: rowIDs)
        let items = try session.photos(at: places, rowIDs: rowIDs, of: named) { PackedPhoto(photos[$0].photo) }
        var updates = updates
        for (position, item) in zip(positions, items) { updates[position].item = item }
        return updates
    }

    /// The photo that keeps its place in the view.
    fileprivate struct Anchor {
        let anchor: ScrollAnchor
        /// Its current position.
        let newIndex: Int
        /// Whether the photo at that position is the same one, rather than the one in its place.
        let isSame: Bool
    }

    /// Returns the photo that keeps its place in a view with bounds; `nil` if no photo is visible, or none is left.
    fileprivate func anchor(in bounds: PixelRect) throws -> Anchor? {
        func isThere(_ index: Int) -> Bool { mapping.newIndex(of: index) != nil }
        let steady = try old.scrollAnchor(in: bounds) { isThere($0) && changed[$0]?.kind != .moved }
        if let anchor = try steady ?? old.scrollAnchor(in: bounds, where: isThere),
            let index = mapping.newIndex(of: anchor.index)
        {
            return Anchor(anchor: anchor, newIndex: index, isSame: true)
        }
        guard let anchor = try old.scrollAnchor(in: bounds), new.directory.itemCount > 0 else { return nil }
        // All visible photos are gone, so the photo that followed them takes their place.
        let next = (anchor.index..<old.directory.itemCount).first(where: isThere).flatMap(mapping.newIndex)
        return Anchor(anchor: anchor, newIndex: next ?? new.directory.itemCount - 1, isSame: false)
    }

    /// Returns the bounds in which the anchor keeps its place; without an anchor, the bounds at the same offset, or the
    /// nearest in the content.
    fileprivate func newBounds(_ bounds: PixelRect, anchor: Anchor?, keeping: ScrollKeeping) throws -> PixelRect {
        let isHorizontal = old.directory.engine.key.scrollDirection == .horizontal
        let viewport = isHorizontal ? bounds.width : bounds.height
        let kept = try anchor.flatMap { anchor in
            try new.contentOffset(for: anchor.anchor, index: anchor.newIndex, viewport: viewport)
        }
        var proposed = isHorizontal ? bounds.x : bounds.y
        if keeping == .offset, isHorizontal, old.directory.engine.key.layoutDirection == .rightToLeft {
            // The content is read from the far end of the axis, which moves as the content grows.
            proposed += new.directory.contentSize.width - old.directory.contentSize.width
        }
        let offset =
            try kept
            ?? new.targetContentOffset(forProposed: proposed, velocity: 0, viewport: viewport, snapping: .none)
        var newBounds = bounds
        if isHorizontal { newBounds.x = offset } else { newBounds.y = offset }
        return newBounds
    }

    /// Throws an error if too many photos meet the old bounds before the changes, or the new bounds after them.
    fileprivate func checkCount(in rect: Rect, _ bounds: PixelRect, now newBounds: PixelRect) throws {
        let maximum = PhotoStreamService.maximumLimit
        var count = try Self.count(old, in: bounds)
        if count <= maximum { count = try Self.count(new, in: newBounds) }
        guard count <= maximum else {
            throw StreamServiceError.crowdedRect(rect, count: count, maximum: maximum)
        }
    }

    /// Returns the number of photos that meet bounds; counting stops at a large number.
    private static func count<Source: LayoutSource>(_ source: Source, in bounds: PixelRect) throws -> Int {
        var count = 0
        try source.forEachItem(in: bounds) { _, _ in
            count += 1
            return count < 10 * PhotoStreamService.maximumLimit
        }
        return count
    }

    private func id(ofNew index: Int) throws -> PhotoID? {
        try new.photo(at: index)?.photo.id
    }

    private func names(of updates: LayoutUpdates) throws -> ElementNames {
        let all = [updates.insertions, updates.deletions, updates.moves, updates.reloads].joined()
        var names = ElementNames()
        var indices: Set<Int> = []
        for update in all where update.belongsToPhoto {
            if let index = update.new?.index {
                indices.insert(index)
            } else if let index = update.old?.index {
                if let change = changed[index] {
                    names.old[index] = change.id
                } else if let now = mapping.newIndex(of: index) {
                    // The current layout hides the photo, but the stream still has it.
                    names.positions[index] = now
                    indices.insert(now)
                }
            }
        }
        let sorted = indices.sorted()
        let photos = try new.reader.photos(rowIDs: try new.rowIDs(of: sorted))
        for (index, photo) in zip(sorted, photos) { names.new[index] = photo.photo.id }
        return names
    }
}

/// The ids of photos that elements are or belong to.
private struct ElementNames {
    /// The ids by positions in the current stream.
    var new: [Int: PhotoID] = [:]
    /// The ids of changed photos by positions in the old stream.
    var old: [Int: PhotoID] = [:]
    /// The current positions of unchanged photos by those in the old stream.
    var positions: [Int: Int] = [:]

    func photo(of update: ElementUpdate) -> PhotoID? {
        guard update.belongsToPhoto else { return nil }
        if let index = update.new?.index { return new[index] }
        return update.old.flatMap { element in old[element.index] ?? positions[element.index].flatMap { new[$0] } }
    }
}

extension ElementUpdate {
    /// Whether the element is a photo, or belongs to one.
    fileprivate var belongsToPhoto: Bool {
        let kind = new?.elementKind ?? old?.elementKind
        return kind == .item || kind == .badge
    }
}
