package import PhotoStreamModel

/// Photos with their places, packed one behind the other in one piece of memory.
package struct PackedRows: Sendable {
    private static let keyByteCount = 16

    private var bytes: [UInt8] = []
    /// Where each row's record is; nothing for one that is lacking still.
    private var records: [Range<Int>]

    /// Makes room for rows.
    init(count: Int) {
        records = Array(repeating: 0..<0, count: count)
        bytes.reserveCapacity(64 * count)
    }

    /// How many rows there are.
    package var count: Int { records.count }

    /// The place of a row in stream order.
    package func key(at position: Int) -> OrderKey {
        let start = records[position].lowerBound
        return OrderKey(
            time: bytes.littleEndian(Int64.self, at: start), rank: bytes.littleEndian(Int64.self, at: start + 8))
    }

    /// What is stored of a photo; it shares this value's memory.
    package subscript(position: Int) -> PackedPhoto {
        PackedPhoto(packed: bytes[records[position]].dropFirst(Self.keyByteCount))
    }

    /// How many bytes the rows take.
    var byteCount: Int { bytes.count }

    /// Takes the rows of another piece over, behind its own, as far as they fit into a number of bytes; one always does.
    ///
    /// - Returns: Whether all of them fit.
    mutating func append(_ other: PackedRows, within byteLimit: Int) -> Bool {
        for position in 0..<other.count {
            guard records.isEmpty || bytes.count + other.records[position].count <= byteLimit else { return false }
            records.append(bytes.count..<bytes.count + other.records[position].count)
            other.withRecord(position) { bytes.append(contentsOf: $0) }
        }
        return true
    }

    /// Takes a row's record over.
    mutating func set(_ position: Int, _ record: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(contentsOf: record)
        records[position] = start..<bytes.count
    }

    /// Packs a row.
    mutating func set(_ position: Int, _ photo: StoredPhoto) {
        let start = bytes.count
        bytes.append(littleEndian: photo.key.time)
        bytes.append(littleEndian: photo.key.rank)
        PackedPhoto.append(photo.photo, to: &bytes)
        records[position] = start..<bytes.count
    }

    /// Lends a row's record to a closure.
    func withRecord(_ position: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes[records[position]].withUnsafeBytes(body)
    }
}
