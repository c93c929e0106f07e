package import PhotoStreamModel

/// Makes a position index, chunk by chunk.
///
///     var builder = PositionIndexBuilder(locatedCount: 1_000, updating: earlier)
///     builder.keep(0..<2_000)  // photos of the earlier index
///     builder.append(photos)
///     let index = builder.index()
package struct PositionIndexBuilder {
    private let earlier: PositionIndex?
    /// The present positions in stream order of the earlier photos; the greatest number for those that are not kept.
    private var moved: [UInt32]
    private var photoCount = 0
    private var places: [ZOrder] = []
    private var photos: [UInt32] = []

    /// Creates a builder without photos.
    ///
    /// - Parameters:
    ///   - locatedCount: About the number of positions that will be appended, for which memory is reserved.
    ///   - earlier: The index of the stream before it changed, if most of its photos will be kept.
    package init(locatedCount: Int, updating earlier: PositionIndex? = nil) {
        self.earlier = earlier
        moved = [UInt32](repeating: .max, count: earlier?.located.photoCount ?? 0)
        places.reserveCapacity(locatedCount)
        photos.reserveCapacity(locatedCount)
    }

    /// Appends photos in stream order.
    ///
    /// - Precondition: There are fewer than 2^32 photos.
    package mutating func append(_ metrics: PackedMetrics) {
        precondition(photoCount + metrics.count < UInt32.max, "a position index has fewer than 2^32 photos")
        for (offset, packed) in metrics.positions.enumerated() where packed != WorldPosition.nowhere {
            places.append(ZOrder(packed: packed))
            photos.append(UInt32(truncatingIfNeeded: photoCount + offset))
        }
        photoCount += metrics.count
    }

    /// Appends photos of the earlier index, which are after those that were kept before.
    ///
    /// - Parameter kept: Their positions in stream order in the earlier index.
    package mutating func keep(_ kept: Range<Int>) {
        precondition(photoCount + kept.count < UInt32.max, "a position index has fewer than 2^32 photos")
        for photo in kept {
            moved[photo] = UInt32(truncatingIfNeeded: photoCount)
            photoCount += 1
        }
    }

    /// Returns the index.
    ///
    /// - Complexity: O(photos); only appended photos are sorted.
    package consuming func index() -> PositionIndex {
        sort()
        if let earlier { merge(earlier) }
        return PositionIndex(places, photos: photos, photoCount: photoCount)
    }

    /// Sorts entries in stream order by their places; equal ones keep their order.
    ///
    /// Source: least significant digit first, as in D. E. Knuth, "The Art of Computer Programming" 3, 5.2.5, algorithm R.
    ///
    /// - Complexity: O(entries).
    private mutating func sort() {
        let (digitBits, digitCount) = (11, 6)
        let mask = UInt64(1) << UInt64(digitBits) - 1
        guard places.count > 1 else { return }
        var counts = [Int](repeating: 0, count: digitCount << digitBits)
        for place in places {
            for digit in 0..<digitCount {
                counts[digit << digitBits | Int(place.code >> UInt64(digit * digitBits) & mask)] += 1
            }
        }
        var (sortedPlaces, sortedPhotos) = (places, photos)
        for digit in 0..<digitCount {
            let shift = UInt64(digit * digitBits)
            let first = digit << digitBits
            // All positions of one country share their highest digits.
            guard counts[first | Int(places[0].code >> shift & mask)] < places.count else { continue }
            var next = 0
            for value in first..<first + 1 << digitBits {
                (counts[value], next) = (next, next + counts[value])
            }
            for entry in places.indices {
                let value = first | Int(places[entry].code >> shift & mask)
                let place = counts[value]
                counts[value] = place + 1
                sortedPlaces[place] = places[entry]
                sortedPhotos[place] = photos[entry]
            }
            swap(&places, &sortedPlaces)
            swap(&photos, &sortedPhotos)
        }
    }

    /// Merges the sorted entries with the kept ones of the earlier index.
    private mutating func merge(_ earlier: PositionIndex) {
        let (newPlaces, newPhotos) = (places, photos)
        (places, photos) = ([], [])
        places.reserveCapacity(newPlaces.count + earlier.places.count)
        photos.reserveCapacity(newPlaces.count + earlier.places.count)
        var next = 0
        for entry in earlier.places.indices {
            let (place, photo) = (earlier.places[entry], moved[Int(earlier.photos[entry])])
            guard photo != .max else { continue }
            while next < newPlaces.count, (newPlaces[next].code, newPhotos[next]) < (place.code, photo) {
                places.append(newPlaces[next])
                photos.append(newPhotos[next])
                next += 1
            }
            places.append(place)
            photos.append(photo)
        }
        places += newPlaces[next...]
        photos += newPhotos[next...]
    }
}
