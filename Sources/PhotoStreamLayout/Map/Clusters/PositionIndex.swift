public import PhotoStreamModel

/// The positions of a stream's photos, sorted so that the photos of any cell of any map are counted in a few steps.
///
///     let index = PositionIndex.indexing([photos])
///     let bounds = index.bounds  // around all positions
///     directory.finish(ending, positions: index)
///
/// Positions are in the order of a curve through the whole world (Z-order), equal ones in stream order. A rectangle
/// whose sides are powers of two is a range of them, and any other is divided into such ranges. Every eight positions,
/// every 64 and so on have a summary: the first of their photos in stream order, and the box around them. One index serves
/// every zoom, size of clusters and scale.
///
/// Takes at most 16 bytes for each position, and a bit and a half for each photo.
public final class PositionIndex: Sendable {
    /// The number of entries or summaries that share one of the next level.
    static let fanOut = 8

    /// The places on the curve, ascending.
    let places: [ZOrder]
    /// The photos at these places, by their positions in stream order; ascending among equal places.
    let photos: [UInt32]
    /// The summaries of complete groups, of ``fanOut`` entries in the first level and of as many summaries in each other.
    let levels: [[PlaceSummary]]
    /// The photos that have a position.
    let located: LocatedPhotos
    /// The smallest rectangle around all positions, which may cross the antimeridian; `nil` if there are none.
    public let bounds: GeographicBounds?

    /// Returns the index of photos.
    ///
    /// - Parameter parts: Consecutive photos, in stream order.
    /// - Returns: The index.
    /// - Precondition: There are fewer than 2^32 photos.
    /// - Complexity: O(photos), and temporarily twice the memory.
    public static func indexing(_ parts: some Collection<PackedMetrics>) -> PositionIndex {
        var builder = PositionIndexBuilder(locatedCount: parts.reduce(0) { $0 + $1.positionSummary.count })
        for part in parts { builder.append(part) }
        return builder.index()
    }

    /// Indexes sorted entries.
    init(_ places: [ZOrder], photos: [UInt32], photoCount: Int) {
        (self.places, self.photos) = (places, photos)
        levels = PlaceSummary.levels(places, photos: photos)
        located = LocatedPhotos(photos, count: photoCount)
        bounds = places.isEmpty ? nil : Self.bounds(of: places)
    }

    /// The number of photos with a position.
    public var locatedCount: Int { places.count }

    /// The number of photos without a position.
    public var unlocatedCount: Int { located.photoCount - places.count }

    /// The size in memory.
    package var byteCount: Int {
        12 * places.count + levels.reduce(0) { $0 + MemoryLayout<PlaceSummary>.stride * $1.count } + located.byteCount
    }

    /// The rectangle around places, which are not empty, with the greatest gap between longitudes outside.
    private static func bounds(of places: [ZOrder]) -> GeographicBounds {
        var (minY, maxY) = (UInt32.max, UInt32.min)
        for place in places { (minY, maxY) = (min(minY, place.y), max(maxY, place.y)) }
        let x = CircularRange(places.lazy.map(\.x), count: places.count)
        return GeographicBounds(westX: x.first, eastX: x.last, minY: minY, maxY: maxY)
    }
}

extension PositionIndex: Equatable {
    /// Whether two indexes are of equal photos.
    public static func == (left: PositionIndex, right: PositionIndex) -> Bool {
        left === right
            || left.located.photoCount == right.located.photoCount && left.photos == right.photos
                && left.places == right.places
    }
}
