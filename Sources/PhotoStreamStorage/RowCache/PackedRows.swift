package import PhotoStreamModel

/// Photos with their places, packed into one block of memory.
package struct PackedRows: Sendable {
    private static let keyByteCount = 16

    private var bytes: [UInt8] = []
    /// The range of each row's record; empty for a missing row.
    private var records: [Range<Int>]

    /// Creates room for rows.
    init(count: Int) {
        records = Array(repeating: 0..<0, count: count)
        bytes.reserveCapacity(64 * count)
    }

    /// The number of rows.
    package var count: Int { records.count }

    /// Returns the place of a row in stream order.
    package func key(at position: Int) -> OrderKey {
        let start = records[position].lowerBound
        return OrderKey(
            time: bytes.littleEndian(Int64.self, at: start), rank: bytes.littleEndian(Int64.self, at: start + 8))
    }

    /// Returns the photo of a row, which shares this value's memory.
    package subscript(position: Int) -> PackedPhoto {
        PackedPhoto(packed: bytes[records[position]].dropFirst(Self.keyByteCount))
    }

    /// The size of the rows in bytes.
    var byteCount: Int { bytes.count }

    /// Appends rows up to a limit on the size; always appends at least one.
    ///
    /// - Returns: Whether all of them fitted.
    mutating func append(_ other: PackedRows, within byteLimit: Int) -> Bool {
        for position in 0..<other.count {
            guard records.isEmpty || bytes.count + other.records[position].count <= byteLimit else { return false }
            records.append(bytes.count..<bytes.count + other.records[position].count)
            unsafe other.withRecord(at: position) { unsafe bytes.append(contentsOf: $0) }
        }
        return true
    }

    /// Stores a copy of a row's record.
    mutating func set(_ position: Int, record: UnsafeRawBufferPointer) {
        let start = bytes.count
        unsafe bytes.append(contentsOf: record)
        records[position] = start..<bytes.count
    }

    /// Packs a photo.
    mutating func set(_ position: Int, photo: StoredPhoto) {
        let start = bytes.count
        bytes.append(littleEndian: photo.key.time)
        bytes.append(littleEndian: photo.key.rank)
        PackedPhoto.append(photo.photo, to: &bytes)
        records[position] = start..<bytes.count
    }

    /// Calls a closure with a row's record.
    func withRecord(at position: Int, body: (UnsafeRawBufferPointer) -> Void) {
        unsafe bytes[records[position]].withUnsafeBytes(body)
    }
}

extension PhotoReader {
    /// Returns the photos with some row ids, packed, in the order of the ids; from memory if possible.
    ///
    /// - Returns: The photos in the state of this transaction.
    /// - Throws: As ``photos(rowIDs:)``.
    /// - Complexity: O(k) for cached photos, O(k log n) for others.
    package func packedRows(_ rowIDs: [Int64]) throws -> PackedRows {
        var rows = PackedRows(count: rowIDs.count)
        guard let cached = cachedRows, let end = try cached.end(self) else {
            for (position, photo) in try photos(rowIDs: rowIDs).enumerated() { rows.set(position, photo: photo) }
            return rows
        }
        let missing = cached.cache.read(rowIDs, asOf: end, into: &rows)
        guard !missing.isEmpty else { return rows }
        for (position, photo) in zip(missing, try photos(rowIDs: missing.map { rowIDs[$0] })) {
            rows.set(position, photo: photo)
        }
        cached.cache.keep(missing, of: rows, rowIDs: rowIDs, asOf: end)
        return rows
    }
}

extension PhotoReader {
    /// The number of rows read at once if the size is limited.
    private static let blockCount = 32

    /// Returns the photos with some row ids, packed, in the order of the ids, up to a limit on their size; always at
    /// least one.
    ///
    /// - Parameters:
    ///   - rowIDs: The rows.
    ///   - byteLimit: The maximum size in bytes.
    /// - Returns: The first of the photos in the state of this transaction.
    /// - Throws: As ``photos(rowIDs:)``.
    package func packedRows(_ rowIDs: [Int64], within byteLimit: Int) throws -> PackedRows {
        var rows = PackedRows(count: 0)
        var rest = rowIDs[...]
        while !rest.isEmpty {
            guard rows.append(try packedRows(Array(rest.prefix(Self.blockCount))), within: byteLimit) else { break }
            rest = rest.dropFirst(Self.blockCount)
        }
        return rows
    }

    /// Returns the photos strictly after a place, in stream order, up to a limit on their size; always at least two.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id; an unknown stream has no photos.
    ///   - after: The place, at which there need not be a photo; `nil` for the start of the stream.
    ///   - limit: The maximum number of photos.
    ///   - byteLimit: The maximum size of their texts in bytes.
    ///   - hasArchived: Whether archived photos are among them.
    /// - Returns: The next photos, and whether the size limit cut them short.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func photos(
        streamID: Int64, after: OrderKey?, limit: Int, within byteLimit: Int, withArchived hasArchived: Bool = true
    ) throws -> (photos: [StoredPhoto], isCut: Bool) {
        var photos: [StoredPhoto] = []
        var byteCount = 0
        var place = after
        while photos.count < limit {
            let wanted = hasArchived ? min(limit - photos.count, Self.blockCount) : Self.blockCount
            let found = try self.photos(streamID: streamID, after: place, limit: wanted)
            place = found.last?.key ?? place
            for photo in found where photos.count < limit && (hasArchived || !photo.photo.isArchived) {
                byteCount += photo.photo.textByteCount
                guard photos.count < 2 || byteCount <= byteLimit else { return (photos, true) }
                photos.append(photo)
            }
            if found.count < wanted { break }
        }
        return (photos, false)
    }
}

extension Photo {
    /// The size of its texts in bytes.
    package var textByteCount: Int {
        let texts = PhotoText.allCases.reduce(id.rawValue.utf8.count) { $0 + (self[$1]?.utf8.count ?? 0) }
        return PhotoList.allCases.reduce(texts) { $0 + self[$1].reduce(0) { $0 + $1.utf8.count } }
    }
}
