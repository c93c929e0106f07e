import PhotoStreamModel

/// The row ids of consecutive photos of a chunk, in stream order.
///
/// They hold only within the read transaction whose revision the chunk is of: SQLite may give the row id of a deleted
/// photo to another one.
package struct PackedRowIDs: Hashable, Sendable {
    /// One id for each photo.
    package private(set) var ids: [Int64]

    /// Wraps ids.
    package init(_ ids: [Int64] = []) {
        self.ids = ids
    }

    /// How many photos there are.
    package var count: Int { ids.count }

    /// The row id of the photo at a position.
    package subscript(position: Int) -> Int64 { ids[position] }

    /// The position of a photo.
    ///
    /// - Complexity: O(n), a comparison each.
    package func position(of id: Int64) -> Int? { ids.firstIndex(of: id) }

    mutating func append(_ id: Int64) { ids.append(id) }
}

// As bytes: the least id in eight bytes, then each id's distance from it, in four bytes each where all fit, else eight.
extension PackedRowIDs {
    var encoded: [UInt8] {
        let (least, greatest) = (ids.min() ?? 0, ids.max() ?? 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + 4 * ids.count)
        bytes.append(littleEndian: UInt64(bitPattern: least))
        let fits = greatest &- least <= Int64(UInt32.max)
        for id in ids {
            if fits {
                bytes.append(littleEndian: UInt32(truncatingIfNeeded: id - least))
            } else {
                bytes.append(littleEndian: UInt64(bitPattern: id - least))
            }
        }
        return bytes
    }

    /// - Returns: `nil` when the bytes do not hold so many ids.
    init?(decoding bytes: [UInt8], count: Int) {
        guard count > 0, bytes.count >= 8 else { return nil }
        let least = Int64(bitPattern: bytes.littleEndian(UInt64.self, at: 0))
        switch bytes.count - 8 {
        case 4 * count:
            ids = [UInt32](littleEndian: bytes, from: 8, count: count).map { least &+ Int64($0) }
        case 8 * count:
            ids = [UInt64](littleEndian: bytes, from: 8, count: count).map { least &+ Int64(bitPattern: $0) }
        default: return nil
        }
    }
}
