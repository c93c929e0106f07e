/// A bit for each of some consecutive photos.
///
///     var mask = PhotoMask(count: 1_024)
///     mask.insert(5)
///     mask.positions  // [5]
package struct PhotoMask: Hashable, Sendable {
    /// The number of photos.
    package let count: Int
    private var words: [UInt64]

    /// Creates a mask with all bits set, or none.
    package init(count: Int, isFull: Bool = false) {
        self.count = count
        words = Array(repeating: isFull ? .max : 0, count: (count + 63) / 64)
        // The bits after the last photo stay zero.
        if isFull, count % 64 > 0 { words[words.count - 1] = 1 << UInt64(count % 64) - 1 }
    }

    /// Creates the mask of the photos for which a closure returns `true`.
    package init(count: Int, where isSet: (Int) throws -> Bool) rethrows {
        self.init(count: count)
        for position in 0..<count where try isSet(position) { insert(position) }
    }

    /// Creates the mask of the photos whose numbers are marked.
    ///
    /// - Parameters:
    ///   - numbers: A number of each photo.
    ///   - isMarked: Whether each number is marked; all numbers are indexes of it.
    /// - Complexity: O(photos).
    package init(_ numbers: [UInt16], in isMarked: [Bool]) {
        count = numbers.count
        words = []
        words.reserveCapacity((count + 63) / 64)
        for start in stride(from: 0, to: count, by: 64) {
            var word: UInt64 = 0
            for position in start..<min(start + 64, count) where isMarked[Int(numbers[position])] {
                word |= 1 << UInt64(position - start)
            }
            words.append(word)
        }
    }

    /// Sets the bit of a photo.
    package mutating func insert(_ position: Int) { words[position / 64] |= 1 << UInt64(position % 64) }

    /// Clears the bits that another mask does not have.
    package mutating func formIntersection(_ other: PhotoMask) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// Sets the bits of another mask.
    package mutating func formUnion(_ other: PhotoMask) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// The mask of all other photos.
    package var inverted: PhotoMask {
        var mask = PhotoMask(count: count, isFull: true)
        for index in words.indices { mask.words[index] &= ~words[index] }
        return mask
    }

    /// Whether the bits of all photos are set.
    package var isFull: Bool { setCount == count }

    /// The number of bits that are set.
    package var setCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The positions of the bits that are set, ascending.
    package var positions: [Int] {
        var positions: [Int] = []
        positions.reserveCapacity(setCount)
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                positions.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return positions
    }
}
