import Logging
public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// What has to be shown of the way of a layout from a revision to now: what appears, disappears, moves or is drawn
    /// again within a rectangle, and nothing of all the rest.
    ///
    /// Nothing old is stored: the layout as it was is had by taking back the change log.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - revision: What an earlier answer about this stream gave.
    ///   - rect: What is on the screen, in points of the content as it was at that revision.
    ///   - progress: Called now and then with the part that is done, up to 1; what it throws ends the work.
    /// - Returns: The updates, or that they cannot be told.
    /// - Throws: `LayoutError` for NaN, infinite or negative values, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/invalidRevision(_:)``, ``StreamServiceError/crowdedRect(_:count:maximum:)`` for a
    ///   rectangle that meets more than ``maximumLimit`` photos.
    /// - Complexity: That of ``changes(of:since:)``, O(chunks), and the photos of the chunks that a change lies in and of
    ///   those behind it up to where the layout met its old state again.
    public func updates(
        of stream: StreamName, _ key: LayoutKey, since revision: Revision, in rect: Rect,
        progress: (Double) throws -> Void = { _ in }
    ) throws -> ChangesOrReload<UpdatesAnswer> {
        let bounds = try key.displayScale.pixels(covering: rect)
        return try withLayout(of: stream, key, progress: { try progress($0 / 2) }) { row, placed in
            try changes(of: row, since: revision, placed.reader).map { changes, _ in
                let layouts = try layoutPair(before: changes, placed) { try progress(0.5 + $0 / 2) }
                logger.debug(
                    "laid out as it was",
                    metadata: [
                        "stream": "\(row.name)", "revision": "\(revision)", "changes": "\(changes.count)",
                        "folded": "\(layouts.old.foldedCount)",
                    ])
                try layouts.checkCount(in: rect, bounds)
                return try layouts.updates(in: bounds, since: revision, row)
            }
        }
    }

    /// The layout as it was before changes and as it is.
    ///
    /// What is folded for it nobody else asks for: it ends when its asker is cancelled.
    func layoutPair(
        before changes: [NetChange], _ placed: PlacedStream, progress: (Double) throws -> Void = { _ in }
    ) throws -> LayoutPair {
        let flight = LayoutFlight()
        defer { layouts.end(flight) }
        let work = ChunkWork(self, flight, in: placed.reader)
        let past = try placed.reader.pastStream(placed.laidOut.chunks, before: changes) { part in
            try work.begin()
            try progress(part / 2)
        }
        let old = try PastLayout(past, now: placed, willFold: work.beginFold, check: work.check) { part in
            try work.check()
            try progress(0.5 + part / 2)
        }
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
        (self.old, self.new, changed) = (old, new, past.changed)
        mapping = ItemMapping(
            runs: past.runs.lazy.map { ItemRun(old: $0.old, count: $0.count, isReplaced: $0.isUpdated) })
    }

    func updates(in bounds: PixelRect, since revision: Revision, _ row: StreamRow) throws -> UpdatesAnswer {
        let anchor = try anchor(in: bounds)
        let newBounds = try newBounds(bounds, anchor)
        let updates = try LayoutUpdates(from: old, to: new, with: mapping, in: bounds, now: newBounds)
        let names = try names(of: updates)
        func named(_ updates: [ElementUpdate]) -> [PhotoUpdate] {
            updates.map { PhotoUpdate(photo: names.photo(of: $0), element: $0) }
        }
        let isHorizontal = old.directory.engine.key.scrollDirection == .horizontal
        return UpdatesAnswer(
            context: LayoutContext(row, new.laidOut), since: revision, oldContentSize: old.directory.contentSize,
            oldBounds: bounds, newBounds: newBounds, contentOffset: isHorizontal ? newBounds.x : newBounds.y,
            anchor: try anchor.flatMap { anchor in try anchor.isSame ? id(ofNew: anchor.newIndex) : nil },
            insertions: named(updates.insertions), deletions: named(updates.deletions), moves: named(updates.moves),
            reloads: named(updates.reloads))
    }

    /// What the view holds on to.
    private struct Anchor {
        let anchor: ScrollAnchor
        /// Where it is now.
        let newIndex: Int
        /// Whether that is the same photo, not the one in its place.
        let isSame: Bool
    }

    private func anchor(in bounds: PixelRect) throws -> Anchor? {
        func isThere(_ index: Int) -> Bool { mapping.newIndex(of: index) != nil }
        let steady = try old.scrollAnchor(in: bounds) { isThere($0) && changed[$0]?.kind != .moved }
        if let anchor = try steady ?? old.scrollAnchor(in: bounds, where: isThere),
            let index = mapping.newIndex(of: anchor.index)
        {
            return Anchor(anchor: anchor, newIndex: index, isSame: true)
        }
        guard let anchor = try old.scrollAnchor(in: bounds), new.directory.itemCount > 0 else { return nil }
        // All that was visible is gone: what followed it stands in its place now.
        let next = (anchor.index..<old.directory.itemCount).first(where: isThere).flatMap(mapping.newIndex)
        return Anchor(anchor: anchor, newIndex: next ?? new.directory.itemCount - 1, isSame: false)
    }

    /// The bounds where the anchor stands still.
    private func newBounds(_ bounds: PixelRect, _ anchor: Anchor?) throws -> PixelRect {
        let isHorizontal = old.directory.engine.key.scrollDirection == .horizontal
        let viewport = isHorizontal ? bounds.width : bounds.height
        let kept = try anchor.flatMap { anchor in
            try new.contentOffset(for: anchor.anchor, index: anchor.newIndex, viewport: viewport)
        }
        let offset =
            try kept
            ?? new.targetContentOffset(
                forProposed: isHorizontal ? bounds.x : bounds.y, velocity: 0, viewport: viewport, snapping: .none)
        var newBounds = bounds
        if isHorizontal { newBounds.x = offset } else { newBounds.y = offset }
        return newBounds
    }

    /// Refuses bounds that meet too many photos before the changes or, where they are afterwards, after them.
    func checkCount(in rect: Rect, _ bounds: PixelRect) throws {
        let maximum = PhotoStreamService.maximumLimit
        var count = try Self.count(old, bounds)
        if count <= maximum { count = try Self.count(new, try newBounds(bounds, try anchor(in: bounds))) }
        guard count <= maximum else {
            throw StreamServiceError.crowdedRect(rect, count: count, maximum: maximum)
        }
    }

    /// How many photos meet bounds, of very many not all.
    private static func count<Source: LayoutSource>(_ source: Source, _ bounds: PixelRect) throws -> Int {
        var count = 0
        try source.forEachItem(in: bounds) { _, _ in
            count += 1
            return count < 10 * PhotoStreamService.maximumLimit
        }
        return count
    }

    private func id(ofNew index: Int) throws -> PhotoID? {
        try new.reader.photos(rowIDs: try new.rowIDs(of: [index])).first?.photo.id
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
                    // It is left out by the layout of now, but still a photo of the stream.
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
