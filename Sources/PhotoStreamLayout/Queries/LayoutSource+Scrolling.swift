/// The places where scrolling comes to rest.
public enum ScrollSnapping: Hashable, Sendable {
    /// Anywhere.
    case none
    /// With the start of a line at the start of the visible bounds; in a masonry with the start of an item. The
    /// content's own start and end count as well, so that both can be reached.
    case lineStarts
    /// With the middle of an item in the middle of the visible bounds, along the scroll axis.
    case itemCenters
}

extension LayoutSource {
    /// The place where the visible bounds are to come to rest.
    ///
    /// - Parameters:
    ///   - offset: The offset at which they would begin by themselves, in device pixels of content space.
    ///   - velocity: The speed along the scroll axis, positive towards greater offsets; only its sign is read.
    ///   - viewport: The visible bounds, in device pixels.
    ///   - snapping: The places where they may come to rest along the scroll axis.
    /// - Returns: Along the scroll axis as
    ///   ``targetContentOffset(forProposed:velocity:viewport:snapping:)-(Int64,_,_,_)``, across it the offset that is nearest to the proposed one. Never outside the content.
    /// - Throws: Any error that the source throws.
    /// - Complexity: As that of the offset along the scroll axis.
    public func targetContentOffset(
        forProposed offset: PixelPoint, velocity: Double = 0, viewport: PixelExtent, snapping: ScrollSnapping = .none
    ) throws(Failure) -> PixelPoint {
        let size = directory.contentSize
        guard directory.engine.axes.isHorizontal else {
            let y = try targetContentOffset(
                forProposed: offset.y, velocity: velocity, viewport: viewport.height, snapping: snapping)
            let greatest = max(0, size.width - QuestionRange.clampedExtent(viewport.width))
            return PixelPoint(x: min(max(offset.x, 0), greatest), y: y)
        }
        let x = try targetContentOffset(
            forProposed: offset.x, velocity: velocity, viewport: viewport.width, snapping: snapping)
        let greatest = max(0, size.height - QuestionRange.clampedExtent(viewport.height))
        return PixelPoint(x: x, y: min(max(offset.y, 0), greatest))
    }

    /// The place where scrolling is to come to rest.
    ///
    /// An offset is where the visible bounds begin along the scroll axis, in device pixels of content space: their x
    /// where content scrolls sideways, else their y.
    ///
    /// - Parameters:
    ///   - offset: The offset at which it would come to rest by itself.
    ///   - velocity: The speed of scrolling, positive towards greater offsets, in any unit: only its sign is read.
    ///   - viewport: The extent of the visible bounds along the scroll axis in device pixels.
    ///   - snapping: The places where it may come to rest.
    /// - Returns: The nearest such offset in the direction of the velocity, or where there is none, or where the
    ///   velocity is 0, the nearest of all (of two alike the one that comes first in reading). `offset` where the
    ///   layout has no items. Never outside the content.
    /// - Throws: Any error that the source throws.
    /// - Complexity: As ``forEachItem(in:from:_:)`` for what lies about as far away as the answer, or within a
    ///   viewport.
    public func targetContentOffset(
        forProposed offset: Int64, velocity: Double = 0, viewport: Int64, snapping: ScrollSnapping = .none
    ) throws(Failure) -> Int64 {
        let range = OffsetRange(directory, viewport: viewport)
        let proposed = range.clamped(offset)
        guard snapping != .none, directory.itemCount > 0 else { return proposed }
        let direction = velocity > 0 ? 1 : velocity < 0 ? -1 : 0
        let rest = try restingPlace(
            RestingPlaces(
                proposed: range.mirrored(proposed), direction: range.isMirrored ? -direction : direction,
                greatest: range.greatest),
            viewport: QuestionRange.clampedExtent(viewport), snapping: snapping)
        return range.mirrored(rest)
    }

    /// The best of the places where scrolling may come to rest.
    private func restingPlace(
        _ empty: RestingPlaces, viewport: Int64, snapping: ScrollSnapping
    ) throws(Failure) -> Int64 {
        let contentExtent = directory.contentExtent
        var places = empty
        if snapping == .lineStarts {
            places.add(0)
            places.add(places.greatest)
        }
        var reach = max(1, min(viewport, contentExtent))
        while true {
            // What lies outside the content is clamped to its ends, so near those everything beyond is near as well.
            let reachesStart = places.proposed - reach <= 0
            let reachesEnd = places.proposed + reach >= places.greatest
            let first = reachesStart ? 0 : places.proposed - reach
            let end = reachesEnd ? contentExtent : places.proposed + reach + 1
            if snapping == .lineStarts {
                try addLineStarts(in: first..<max(first, end), to: &places)
            } else {
                // A pixel more on both sides for the half that rounding takes.
                let lower = reachesStart ? 0 : first + viewport / 2 - 1
                let upper = reachesEnd ? contentExtent : end + viewport / 2 + 1
                try addItemCenters(in: lower..<max(lower, upper), viewport: viewport, to: &places)
            }
            if let best = places.best(within: reach, reachesStart: reachesStart, reachesEnd: reachesEnd) { return best }
            reach *= 2
        }
    }

    private func addLineStarts(in range: Range<Int64>, to places: inout RestingPlaces) throws(Failure) {
        let directory = directory
        var found = places
        try forEachChunk(meeting: range) { chunk, position in
            directory.engine.algorithm.forEachLine(
                startingIn: range, of: chunk, at: directory.chunks[position], in: directory
            ) {
                _, top in
                found.add(top)
                return true
            }
        }
        places = found
    }

    private func addItemCenters(
        in range: Range<Int64>, viewport: Int64, to places: inout RestingPlaces
    ) throws(Failure) {
        var found = places
        try forEachItem(along: range) { _, frame in
            found.add((2 * frame.along + frame.alongExtent - viewport) >> 1)
        }
        places = found
    }
}

/// The offsets that a viewport may have in a layout.
struct OffsetRange {
    /// The greatest; the least is 0.
    let greatest: Int64
    /// Whether offsets fall in the direction of reading: content scrolls sideways from right to left.
    let isMirrored: Bool

    init(_ directory: LayoutDirectory, viewport: Int64) {
        greatest = max(0, directory.contentExtent - QuestionRange.clampedExtent(viewport))
        isMirrored = directory.engine.axes.isHorizontal && directory.engine.axes.isMirrored
    }

    /// The nearest offset that is allowed.
    func clamped(_ offset: Int64) -> Int64 { min(max(offset, 0), greatest) }

    /// An offset as a distance along the scroll axis in the direction of reading, or the other way round.
    func mirrored(_ offset: Int64) -> Int64 { isMirrored ? greatest - offset : offset }
}

/// The best place to come to rest so far, in the direction of reading.
private struct RestingPlaces {
    let proposed: Int64
    /// The direction of scrolling: 1 on, -1 back, 0 for none.
    let direction: Int
    let greatest: Int64
    /// The nearest place up to the proposed one, and the nearest from it on.
    private var before: Int64?
    private var behind: Int64?

    init(proposed: Int64, direction: Int, greatest: Int64) {
        (self.proposed, self.direction, self.greatest) = (proposed, direction, greatest)
    }

    mutating func add(_ place: Int64) {
        let place = min(max(place, 0), greatest)
        if place <= proposed { before = max(before ?? place, place) }
        if place >= proposed { behind = min(behind ?? place, place) }
    }

    /// The best place, if nothing that was not looked at can be better.
    ///
    /// - Parameters:
    ///   - reach: The distance within which all places were looked at.
    ///   - reachesStart: Whether none is left before that.
    ///   - reachesEnd: Whether none is left after that.
    /// - Returns: The place; where nothing is left to look at and there is none, the proposed one.
    func best(within reach: Int64, reachesStart: Bool, reachesEnd: Bool) -> Int64? {
        // Of what is further away something nearer may not have been seen.
        let before = before.flatMap { proposed - $0 <= reach ? $0 : nil }
        let behind = behind.flatMap { $0 - proposed <= reach ? $0 : nil }
        if direction > 0, behind != nil || !reachesEnd { return behind }
        if direction < 0, before != nil || !reachesStart { return before }
        guard let before else { return behind ?? (reachesStart && reachesEnd ? proposed : nil) }
        guard let behind, behind - proposed < proposed - before else { return before }
        return behind
    }
}
