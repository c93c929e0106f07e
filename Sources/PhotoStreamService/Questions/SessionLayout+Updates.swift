import Logging
public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// The part of a view's scroll position that is kept while the content around it changes.
public enum ScrollKeeping: String, Hashable, Sendable, CaseIterable {
    /// The place on the screen of the item at the top: the offset changes by as much as the item moves in the content.
    case item
    /// The content offset, counted from the start of the content in the direction of reading: what comes above the visible
    /// items pushes them on.
    case offset
}

extension SessionLayout {
    /// Returns the updates that a collection view needs to get from a revision to the current layout: the elements of a
    /// rectangle that appear, disappear, move or are drawn again, and nothing of all the rest.
    ///
    /// Nothing old is stored. The layout as it was is made by reverting the change log. Reads much, so it needs a session
    /// that may block.
    ///
    /// - Parameters:
    ///   - revision: The revision of an earlier answer about this stream.
    ///   - rect: The bounds on the screen, in points of the content as it was at that revision.
    ///   - keeping: The part of the scroll position that is kept. With ``ScrollKeeping/item`` the offset is the one at which
    ///     the anchor stands where it stood on the screen. With ``ScrollKeeping/offset`` there is no anchor, and the offset
    ///     is that of `rect`, or the nearest in the content: what `targetContentOffset(forProposedContentOffset:)` of a
    ///     `UICollectionViewLayout` returns if it returns what is proposed.
    ///   - progress: Called now and then with the part that is done, up to 1. An error that it throws ends the work.
    /// - Returns: The updates, or the reason to read the stream again.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/invalidRevision(_:)``,
    ///   ``StreamServiceError/crowdedRect(_:count:maximum:)`` for a rectangle that meets more than
    ///   ``PhotoStreamService/maximumLimit`` photos.
    /// - Complexity: That of ``Session/changes(of:since:)``, O(chunks), and the photos of the chunks that a change lies in and of
    ///   those after them up to where the layout met its old state again.
    public func updates(
        since revision: Revision, in rect: Rect, keeping: ScrollKeeping = .item,
        progress: (Double) throws -> Void = { _ in }
    ) throws -> ChangesOrReload<UpdatesAnswer> {
        try session.requireBlocking()
        let bounds = try key.displayScale.pixels(covering: rect)
        let placed = try placed { try progress($0 / 2) }
        return try session.netChanges(of: stream, since: revision).map { changes, _ in
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
            return try layouts.updates(in: bounds, now: target, anchor: anchor, since: revision)
        }
    }
}

extension Session {
    /// The layout as it was before changes, and as it is.
    ///
    /// No other question asks for what is folded here, so the work ends when the caller's task is cancelled.
    func layoutPair(
        before changes: [NetChange], _ placed: PlacedStream, progress: (Double) throws -> Void = { _ in }
    ) throws -> LayoutPair {
        let fold = InFlightFold()
        defer { service.layouts.end(fold) }
        let work = work(fold)
        let past = try reader.pastStream(placed.laidOut.chunks, before: changes) { part in
            try work.begin()
            try progress(part / 2)
        }
        let old = try PastLayout(past, now: placed, work: work) { try progress(0.5 + $0 / 2) }
        return LayoutPair(old: old, new: placed, past)
    }
}

/// A layout as it was and as it is.
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
            updates.map { PhotoUpdate(photo: names.photo(of: $0), element: $0) }
        }
        let isHorizontal = old.directory.engine.key.scrollDirection == .horizontal
        return UpdatesAnswer(
            context: new.context, since: revision, oldContentSize: old.directory.contentSize,
            oldBounds: bounds, newBounds: newBounds, contentOffset: isHorizontal ? newBounds.x : newBounds.y,
            anchor: try anchor.flatMap { anchor in try anchor.isSame ? id(ofNew: anchor.newIndex) : nil },
            insertions: named(updates.insertions), deletions: named(updates.deletions), moves: named(updates.moves),
            reloads: named(updates.reloads))
    }

    /// The photo that the view holds on to.
    fileprivate struct Anchor {
        let anchor: ScrollAnchor
        /// Its position now.
        let newIndex: Int
        /// Whether that is the same photo, rather than the one in its place.
        let isSame: Bool
    }

    /// The photo that a view with bounds holds on to; `nil` if nothing is visible, or nothing is left.
    fileprivate func anchor(in bounds: PixelRect) throws -> Anchor? {
        func isThere(_ index: Int) -> Bool { mapping.newIndex(of: index) != nil }
        let steady = try old.scrollAnchor(in: bounds) { isThere($0) && changed[$0]?.kind != .moved }
        if let anchor = try steady ?? old.scrollAnchor(in: bounds, where: isThere),
            let index = mapping.newIndex(of: anchor.index)
        {
            return Anchor(anchor: anchor, newIndex: index, isSame: true)
        }
        guard let anchor = try old.scrollAnchor(in: bounds), new.directory.itemCount > 0 else { return nil }
        // All that was visible is gone: the photo that followed it stands in its place now.
        let next = (anchor.index..<old.directory.itemCount).first(where: isThere).flatMap(mapping.newIndex)
        return Anchor(anchor: anchor, newIndex: next ?? new.directory.itemCount - 1, isSame: false)
    }

    /// The bounds at which the anchor stands still; without one, those at the same offset or the nearest in the content.
    fileprivate func newBounds(_ bounds: PixelRect, anchor: Anchor?, keeping: ScrollKeeping) throws -> PixelRect {
        let isHorizontal = old.directory.engine.key.scrollDirection == .horizontal
        let viewport = isHorizontal ? bounds.width : bounds.height
        let kept = try anchor.flatMap { anchor in
            try new.contentOffset(for: anchor.anchor, index: anchor.newIndex, viewport: viewport)
        }
        var proposed = isHorizontal ? bounds.x : bounds.y
        if keeping == .offset, isHorizontal, old.directory.engine.key.layoutDirection == .rightToLeft {
            // Reading begins at the far end of the axis, which moves as the content grows.
            proposed += new.directory.contentSize.width - old.directory.contentSize.width
        }
        let offset =
            try kept
            ?? new.targetContentOffset(forProposed: proposed, velocity: 0, viewport: viewport, snapping: .none)
        var newBounds = bounds
        if isHorizontal { newBounds.x = offset } else { newBounds.y = offset }
        return newBounds
    }

    /// Refuses bounds that meet too many photos before the changes, or, at their new place, after them.
    fileprivate func checkCount(in rect: Rect, _ bounds: PixelRect, now newBounds: PixelRect) throws {
        let maximum = PhotoStreamService.maximumLimit
        var count = try Self.count(old, in: bounds)
        if count <= maximum { count = try Self.count(new, in: newBounds) }
        guard count <= maximum else {
            throw StreamServiceError.crowdedRect(rect, count: count, maximum: maximum)
        }
    }

    /// The number of photos that meet bounds; of very many not all are counted.
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
                    // The current layout leaves it out, but it is still a photo of the stream.
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

/// The photos that elements are or belong to.
private struct ElementNames {
    /// By positions in the stream as it is.
    var new: [Int: PhotoID] = [:]
    /// By positions in the stream as it was, of photos that have changed.
    var old: [Int: PhotoID] = [:]
    /// Positions now of photos that have not, by those in the stream as it was.
    var positions: [Int: Int] = [:]

    func photo(of update: ElementUpdate) -> PhotoID? {
        guard update.belongsToPhoto else { return nil }
        if let index = update.new?.index { return new[index] }
        return update.old.flatMap { element in old[element.index] ?? positions[element.index].flatMap { new[$0] } }
    }
}

extension ElementUpdate {
    /// Whether it is a photo, or stands on one.
    fileprivate var belongsToPhoto: Bool {
        let kind = new?.elementKind ?? old?.elementKind
        return kind == .item || kind == .badge
    }
}
