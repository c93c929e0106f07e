import Logging
import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

extension PhotoStreamService {
    /// The number of chunks whose attributes are written in one transaction: about 400 KB, after 200 ms if they are made from
    /// rows.
    private static let storedAtOnce = 32

    /// Stores the attributes that conditions needed and the file lacks, with the chunks of their streams if it lacks those.
    ///
    /// If another connection has stored a stream's chunks in the meantime, the rest is left to the next query.
    func storeAttributes() throws {
        for streamID in attributes.takeLacking() {
            do {
                guard let chunks = newestChunks(of: streamID), let stored = try storedChunks(chunks) else { continue }
                let lacking = try database.read { reader in
                    try stored.chunks.filter { chunk in
                        try chunk.attributesID != nil && reader.attributes(of: chunk) == nil
                    }
                }
                _ = try store(attributesOf: lacking[...], of: stored, partLimit: .max)
            } catch {
                attributes.note(lackingIn: streamID)
                throw error
            }
        }
    }

    /// Makes and stores attributes of chunks that the file has without them, so that the first condition need not do it.
    ///
    /// Does nothing to a file that is open for reading only, and defers the work while another connection locks the file.
    ///
    /// - Returns: Whether there is more to do.
    /// - Throws: `StorageError` if the file fails, `CancellationError` if the task is cancelled.
    /// - Complexity: About 200 ms.
    public func packSomeAttributes() throws -> Bool {
        // A deleted file is still read by its open connections, and this must not take one from an answer.
        guard !isReadOnly, (try? database.checkIsInPlace()) != nil else { return false }
        do {
            return try storing.withLock { _ in
                for stream in try database.read({ try $0.streams() }) {
                    try Task.checkCancellation()
                    let (chunks, lacking) = try database.read { reader in
                        let ids = try reader.chunkIDsWithoutAttributes(streamID: stream.id)
                        guard !ids.isEmpty else { return (StreamChunks?.none, [PhotoChunk]()) }
                        let chunks = try reader.streamChunks(stream.id, known: newestChunks(of: stream.id))
                        return (chunks, chunks.chunks.filter { $0.attributesID.map(ids.contains) ?? false })
                    }
                    guard let chunks, !lacking.isEmpty else { continue }
                    return try store(attributesOf: lacking[...], of: chunks, partLimit: 1)
                }
                return false
            }
        } catch let error as StorageError where error.code == .busy {
            logger.info("packing attributes is deferred", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Stores the attributes of some chunks, each part in a short transaction.
    ///
    /// - Returns: Whether a part was stored.
    private func store(
        attributesOf lacking: ArraySlice<PhotoChunk>, of stored: StreamChunks, partLimit: Int
    ) throws -> Bool {
        var (rest, partCount) = (lacking, 0)
        while !rest.isEmpty, partCount < partLimit {
            try Task.checkCancellation()
            let part = rest.prefix(Self.storedAtOnce)
            let made = try database.read { reader -> [Int64: ChunkAttributes]? in
                let version = try reader.version(of: stored.streamID, since: nil)
                return stored.matches(version) ? try madeAttributes(of: part, in: stored.streamID, reader: reader) : nil
            }
            guard let made, try writeLocally({ try $0.store(made, of: stored) }) else { break }
            rest = rest.dropFirst(part.count)
            partCount += 1
        }
        return partCount > 0
    }

    private func madeAttributes(
        of chunks: ArraySlice<PhotoChunk>, in streamID: Int64, reader: PhotoReader
    ) throws -> [Int64: ChunkAttributes] {
        var made: [Int64: ChunkAttributes] = [:]
        for chunk in chunks {
            guard let id = chunk.attributesID else { continue }
            made[id] = try attributes.attributes(
                of: chunk, in: streamID, rowIDs: { try reader.content(of: chunk).rowIDs }, reader: reader,
                noting: false
            ) {
                countWork { $0.packedChunkCount += 1 }
            }
        }
        return made
    }

    /// Returns the chunks of a stream in the newest state of its layouts and views in memory, in the file if possible.
    func newestChunks(of streamID: Int64) -> StreamChunks? {
        let sources = selections.all.values.map(\.source).filter { $0.streamID == streamID }
        return ([layouts.chunks(of: streamID)].compactMap(\.self) + sources).max { one, other in
            one.revision == other.revision ? one.isUnsaved && !other.isUnsaved : one.revision < other.revision
        }
    }

    /// Stores chunks unless the file has them, and lets their views use the stored ones.
    ///
    /// - Returns: `nil` if they are out of date.
    private func storedChunks(_ chunks: StreamChunks) throws -> StreamChunks? {
        guard chunks.isUnsaved else { return chunks }
        guard let stored = try database.store(chunks, betweenSlices: { try Task.checkCancellation() }) else {
            return nil
        }
        let marks = chunks.chunks.map(\.mark)
        for (view, selection) in selections.all where selection.source.chunks.map(\.mark) == marks {
            let adopted = selection.adopting(stored)
            selections.keep(adopted, costing: adopted.cost, for: view)
        }
        return stored
    }
}
