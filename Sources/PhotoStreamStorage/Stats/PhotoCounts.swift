package import PhotoStreamModel

/// What there is of a stream's photos, in numbers.
package struct PhotoCounts: Hashable, Sendable {
    /// How many photos there are.
    package var photos = 0
    /// Photos with a capture time.
    package var dated = 0
    /// The first and the last capture time as order times of a stream that is newest first; `nil` where none has one.
    package var times: ClosedRange<Int64>?
    /// Photos with a caption, and those with coordinates.
    package var captioned = 0
    package var positioned = 0
    /// Photos whose size was measured, is only a ratio, and stands in for one that nobody gave.
    package var measured = 0
    package var ratioOnly = 0
    package var assumed = 0
    /// Photos of which a person edited something, and those that a person moved.
    package var edited = 0
    package var moved = 0
    /// Photos that are wider than high, higher than wide, and neither.
    package var landscape = 0
    package var portrait = 0
    package var square = 0
    /// Photos at least twice as wide as high, and those at least twice as high as wide.
    package var panoramas = 0
    package var towers = 0
    /// The photo that is widest for its height, and the one that is highest for its width.
    package var widest: PixelSize?
    package var tallest: PixelSize?

    /// No photos.
    package init() {}

    mutating func add(_ size: PixelSize) {
        let (width, height) = (Int64(size.width), Int64(size.height))
        if width > height { landscape += 1 } else if width < height { portrait += 1 } else { square += 1 }
        if width >= 2 * height { panoramas += 1 }
        if height >= 2 * width { towers += 1 }
        if widest.map({ width * Int64($0.height) > Int64($0.width) * height }) ?? true { widest = size }
        if tallest.map({ width * Int64($0.height) < Int64($0.width) * height }) ?? true { tallest = size }
    }

    mutating func add(time: Int64) {
        dated += 1
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
}

/// How a stream's photos are cut into stored chunks.
package struct ChunkCounts: Hashable, Sendable {
    /// How many chunks are stored, and the photos in all of them.
    package var chunks = 0
    package var photos = 0
    /// The photos of the smallest and of the largest.
    package var least = 0
    package var greatest = 0

    /// No chunks.
    package init() {}

    init(chunks: Int, photos: Int, least: Int, greatest: Int) {
        (self.chunks, self.photos, self.least, self.greatest) = (chunks, photos, least, greatest)
    }
}
