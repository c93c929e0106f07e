/// The rule for offsets at which scrolling stops.
public enum ScrollSnapping: Hashable, Sendable {
    /// Any offset.
    case none
    /// The start of a line at the start of the visible bounds; in a masonry, the start of an item. The content's own
    /// start and end count as well, so that both can be reached.
    case lineStarts
    /// The middle of an item in the middle of the visible bounds, along the scroll axis.
    case itemCenters
}

extension LayoutSource {
    /// Returns the offset at which the visible bounds should stop, along and across the scroll axis.
    ///
    /// - Parameters:
    ///   - offset: The offset at which they would stop otherwise, in device pixels of content space.
    ///   - velocity: The speed along the scroll axis, positive towards greater offsets; only its sign is used.
    ///   - viewport: The visible bounds, in device pixels.
    ///   - snapping: The rule for offsets along the scroll axis.
    /// - Returns: Along the scroll axis, the result of
    ///   ``targetContentOffset(forProposed:velocity:viewport:snapping:)-(Int64,_,_,_)``; across it, the offset nearest to
    ///   the proposed one. Never outside the content.
    /// - Throws: Any error that the source throws.
    /// - Complexity: That of the offset along the scroll axis.
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

    /// Returns the offset at which scrolling should stop.
    ///
    /// An offset is the start of the visible bounds along the scroll axis, in device pixels of content space: their x
    /// if content scrolls sideways, else their y.
    ///
    /// - Parameters:
    ///   - offset: The offset at which scrolling would stop otherwise.
    ///   - velocity: The speed of scrolling, positive towards greater offsets, in any unit; only its sign is used.
    ///   - viewport: The extent of the visible bounds along the scroll axis in device pixels.
    ///   - snapping: The rule for offsets.
    /// - Returns: The nearest allowed offset in the direction of the velocity. If there is none, or the velocity is 0,
    ///   the nearest allowed offset in any direction (in a tie, the first in reading order). `offset` if the layout has
    ///   no items. Never outside the content.
    /// - Throws: Any error that the source throws.
    /// - Complexity: The same as ``forEachItem(in:from:_:)`` for the items within about the distance of the result, or
    ///   within a viewport.
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

    /// The best offset at which scrolling may stop.
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
            // Offsets outside the content are clamped to its ends, so near an end everything beyond it is near as well.
            let reachesStart = places.proposed - reach <= 0
            let reachesEnd = places.proposed + reach >= places.greatest
            let first = reachesStart ? 0 : places.proposed - reach
            let end = reachesEnd ? contentExtent : places.proposed + reach + 1
            if snapping == .lineStarts {
                try addLineStarts(in: first..<max(first, end), to: &places)
            } else {
                // One more pixel on both sides, for rounding to half pixels.
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
        guard !directory.engine.hasClusters else {
            directory.clusters(beginningIn: range).forEach { places.add($0.frame.along) }
            return
        }
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
        let directory = directory
        let searched = AxisFrame(along: range, across: AxisFrame.everythingAcross)
        var found = places
        guard !directory.engine.hasClusters else {
            for cluster in directory.clusters(meeting: searched) {
                places.add((2 * cluster.frame.along + cluster.frame.alongExtent - viewport) >> 1)
            }
            return
        }
        try forEachChunk(meeting: range) { chunk, position in
            directory.engine.algorithm.forEachItem(
                in: searched, of: chunk, at: directory.chunks[position], in: directory
            ) { _, frame in
                found.add((2 * frame.along + frame.alongExtent - viewport) >> 1)
                return true
            }
        }
        places = found
    }
}

/// The offsets that a viewport may have in a layout.
struct OffsetRange {
    /// The maximum; the minimum is 0.
    let greatest: Int64
    /// Whether offsets decrease in the direction of reading: content scrolls sideways from right to left.
    let isMirrored: Bool

    init(_ directory: LayoutDirectory, viewport: Int64) {
        greatest = max(0, directory.contentExtent - QuestionRange.clampedExtent(viewport))
        isMirrored = directory.engine.axes.isHorizontal && directory.engine.axes.isMirrored
    }

    /// The nearest valid offset.
    func clamped(_ offset: Int64) -> Int64 { min(max(offset, 0), greatest) }

    /// Converts an offset to a distance along the scroll axis in the direction of reading, and back.
    func mirrored(_ offset: Int64) -> Int64 { isMirrored ? greatest - offset : offset }
}

/// The best offset so far, in the direction of reading.
private struct RestingPlaces {
    let proposed: Int64
    /// The direction of scrolling: 1 for forward, -1 for back, 0 for none.
    let direction: Int
    let greatest: Int64
    /// The nearest offsets at or before the proposed one, and at or after it.
    private(set) var before: Int64?
    private(set) var behind: Int64?

    mutating func add(_ place: Int64) {
        let place = min(max(place, 0), greatest)
        if place <= proposed { before = max(before ?? place, place) }
        if place >= proposed { behind = min(behind ?? place, place) }
    }

    /// The best offset so far, once no remaining offset can be better.
    ///
    /// - Parameters:
    ///   - reach: The distance within which all offsets were compared.
    ///   - reachesStart: Whether none is left before that.
    ///   - reachesEnd: Whether none is left after that.
    /// - Returns: The offset; the proposed one if none is left and none was found.
    func best(within reach: Int64, reachesStart: Bool, reachesEnd: Bool) -> Int64? {
        // An offset beyond the reach may not be the nearest.
        let before = before.flatMap { proposed - $0 <= reach ? $0 : nil }
        let behind = behind.flatMap { $0 - proposed <= reach ? $0 : nil }
        if direction > 0, behind != nil || !reachesEnd { return behind }
        if direction < 0, before != nil || !reachesStart { return before }
        guard let before else { return behind ?? (reachesStart && reachesEnd ? proposed : nil) }
        guard let behind, behind - proposed < proposed - before else { return before }
        return behind
    }
}
