import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// A cache of the attributes of chunks, which all views of a stream share, and which notes those to store.
///
/// The mark of a chunk is that of a state of its photos, so an entry is never out of date.
final class KnownAttributes: Sendable {
    private struct Entry {
        let attributes: ChunkAttributes
        let rowIDs: PackedRowIDs
    }

    /// The attributes by the marks of chunks, counted in bytes.
    private let entries = BoundedCache<ChunkMark, Entry>(limit: 32 << 20)
    /// The streams whose attributes a condition needed, and the file lacked.
    private let lacking = Mutex<Set<Int64>>([])

    /// Returns the attributes of a chunk: from memory, from the file, or made from the rows of its photos.
    ///
    /// - Parameters:
    ///   - chunk: A chunk as of the transaction.
    ///   - streamID: Its stream.
    ///   - rowIDs: The row ids of its photos.
    ///   - reader: The transaction.
    ///   - isNoted: Whether to note that the file lacks them, so that they are stored.
    ///   - didPack: Called if they were made from the rows.
    /// - Returns: The attributes.
    /// - Throws: The errors of reading, and of `rowIDs`.
    func attributes(
        of chunk: PhotoChunk, in streamID: Int64, rowIDs: () throws -> PackedRowIDs, reader: PhotoReader,
        noting isNoted: Bool = true, didPack: () -> Void
    ) throws -> ChunkAttributes {
        if let entry = entries[chunk.mark] { return entry.attributes }
        let found: ChunkAttributes
        let ids = try rowIDs()
        if let stored = try reader.attributes(of: chunk) {
            found = stored
        } else {
            if isNoted { note(lackingIn: streamID) }
            if let known = try changed(chunk, rowIDs: ids, reader: reader) {
                found = known
            } else {
                found = ChunkAttributes(try reader.photos(rowIDs: ids.ids).map(\.photo))
                didPack()
            }
        }
        entries.keep(
            Entry(attributes: found, rowIDs: ids), costing: found.encoded.count + 8 * ids.count + 256, for: chunk.mark)
        return found
    }

    /// Returns the attributes of a chunk from those of an earlier state and the rows that have changed; `nil` if none is in
    /// memory, or too many rows have changed.
    private func changed(_ chunk: PhotoChunk, rowIDs: PackedRowIDs, reader: PhotoReader) throws -> ChunkAttributes? {
        for former in chunk.formers.reversed() {
            guard let entry = entries[former.mark] else { continue }
            let places = Dictionary(zip(entry.rowIDs.ids, entry.rowIDs.ids.indices)) { first, _ in first }
            let positions = rowIDs.ids.map { former.rowIDs.contains($0) ? nil : places[$0] }
            let others = zip(rowIDs.ids, positions).compactMap { id, position in position == nil ? id : nil }
            guard others.count <= rowIDs.count / 4 else { continue }
            let photos = try reader.photos(rowIDs: others).map(\.photo)
            guard let found = ChunkAttributes(entry.attributes, at: positions, others: photos) else { continue }
            // No later state of the stream needs them.
            entries.drop(former.mark)
            return found
        }
        return nil
    }

    /// Notes that the file lacks attributes of a stream.
    func note(lackingIn streamID: Int64) {
        lacking.withLock { _ = $0.insert(streamID) }
    }

    /// Returns the streams that were noted, once.
    func takeLacking() -> Set<Int64> {
        lacking.withLock { lacking in
            defer { lacking = [] }
            return lacking
        }
    }

    func forgetAll() {
        entries.removeAll()
        lacking.withLock { $0 = [] }
    }
}
