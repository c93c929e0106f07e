public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// A stored layout, as `cache status` shows it.
public struct StoredLayoutSummary: Hashable, Sendable {
    /// The stream.
    public let stream: StreamName
    /// The canonical text of the configuration.
    public let layoutKey: String
    /// The number of the stream's chunks whose checkpoint is stored.
    public let chunkCount: Int
    /// The number of the stream's chunks whose frames are stored: those that were served.
    public let framesCount: Int
    /// The bytes of its stored data.
    public let byteCount: Int64
    /// The start of the day when it was last used, in milliseconds since 1970.
    public let lastUsedMilliseconds: Int64
}

/// The layouts of a file.
public struct CacheStatus: Hashable, Sendable {
    /// Every stored layout, by stream, then most recently used first.
    public let layouts: [StoredLayoutSummary]
    /// The bytes of all of them.
    public let byteCount: Int64
    /// The maximum number of bytes of all of them.
    public let budget: Int64
}

extension PhotoStreamService {
    /// Returns the layouts of the file and their bytes.
    ///
    /// - Complexity: O(stored chunks).
    public func cacheStatus() throws -> CacheStatus {
        try transaction { reader in
            let names = Dictionary(uniqueKeysWithValues: try reader.streams().map { ($0.id, $0.name) })
            let layouts = try reader.layoutSizes().compactMap { size in
                names[size.layout.streamID].map { name in
                    StoredLayoutSummary(
                        stream: name, layoutKey: size.layout.layoutKey, chunkCount: size.chunkCount,
                        framesCount: size.framesCount, byteCount: size.layout.byteCount,
                        lastUsedMilliseconds: size.layout.lastUsedMilliseconds)
                }
            }
            return CacheStatus(
                layouts: layouts, byteCount: try reader.layoutByteCount(), budget: try reader.layoutBudget())
        }
    }

    /// Sets the maximum number of bytes of all layouts of the file, for every process that uses it, and deletes the
    /// least recently used layouts beyond that.
    ///
    /// - Parameter byteCount: The number; 0 stores nothing. The default is 256 MiB.
    /// - Throws: ``StreamServiceError/invalidBudget(_:)`` for a negative number.
    public func setCacheBudget(_ byteCount: Int64) throws {
        guard byteCount >= 0 else { throw StreamServiceError.invalidBudget(byteCount) }
        try writeLocally { try $0.setLayoutBudget(byteCount) }
    }

    /// Removes everything that is derived from the photos.
    ///
    /// The next query recomputes the same data.
    ///
    /// Takes several short writes; if it is interrupted, the file is still correct. Triggers and indexes that another
    /// program has dropped or changed are created again; then each stream gets another revision, since its log has
    /// missed changes.
    ///
    /// - Returns: The triggers and indexes that were created again, such as `trigger photoUpdated`.
    /// - Throws: `StorageError`.
    @discardableResult
    public func clearDerived() throws -> [String] {
        try database.clearDerived()
        layouts.forgetAll()
        contents.forgetAll()
        attributes.forgetAll()
        selections.removeAll()
        return try database.restoreSchema()
    }

    /// Computes a layout and stores it, so that the first query does not have to.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - progress: Called now and then with the completed part, up to 1. An error that it throws ends the work.
    /// - Returns: The layout.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/budgetTooSmall(needed:budget:)``, or
    ///   `StorageError` if it cannot be stored.
    public func warm(
        _ stream: StreamName, layout key: LayoutKey, progress: (Double) throws -> Void = { _ in }
    ) throws -> LayoutAnswer {
        guard !isReadOnly else {
            throw StorageError(.readOnly, message: "\(database.path) is open for reading only")
        }
        for _ in 0..<Self.warmAttempts {
            let (answer, isSelection) = try read { session in
                _ = try session.reader.row(of: stream)
                let layout = try session.layout(key, of: stream)
                return (LayoutAnswer(try layout.placed(progress: progress)), layout.isSelection)
            }
            // Only layouts of all photos are stored.
            if isSelection { return answer }
            let cacheKey = LayoutCache.Key(
                view: ViewKey(streamID: answer.context.streamID), layoutKey: key)
            layouts.want(cacheKey)
            try storeOrThrowBusy()
            if layouts.isStored(cacheKey) { return answer }
            let (needed, budget) = try transaction { reader in
                (layouts.checkpointByteCount(cacheKey), try reader.layoutBudget())
            }
            if needed > budget { throw StreamServiceError.budgetTooSmall(needed: needed, budget: budget) }
            // Another connection has changed or stored the stream in the meantime.
            try Task.checkCancellation()
        }
        throw StorageError(
            .busy,
            message: "stream \"\(stream)\" was changed \(Self.warmAttempts) times while its layout was stored")
    }

    /// The number of attempts to compute a layout while other connections' writes keep it from being stored.
    private static let warmAttempts = 20

    /// Whether layouts with a key are stored at all.
    ///
    /// Those whose frames are computed from positions are not.
    public static func stores(_ key: LayoutKey) -> Bool { !LayoutEngine(key).placesByFunction }

    /// Brings a stream's stored chunks up to date after an import.
    ///
    /// If nearly all of them must be rebuilt, that is done slice by slice, otherwise in one transaction. If another
    /// connection was faster or locks the file, or the task is cancelled, it is left to the next query.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - progress: Called now and then with the completed part, up to 1. An error that it throws ends the work.
    /// - Throws: `StorageError`, and the errors of `progress`.
    func refreshChunks(streamID: Int64, progress: (Double) throws -> Void = { _ in }) throws {
        let fold = InFlightFold()
        defer { layouts.end(fold) }
        do {
            if try transaction({ try $0.needsRebuild(streamID) }) {
                try rebuildChunks(streamID: streamID, ChunkWork(self, for: fold, in: nil), progress: progress)
            } else {
                let chunks = try transaction { reader in
                    let work = ChunkWork(self, for: fold, in: reader)
                    return try reader.streamChunks(streamID) { part in
                        try work.begin()
                        try progress(part)
                    }
                }
                guard chunks.isUnsaved else { return }
                _ = try database.store(chunks) { try Task.checkCancellation() }
            }
        } catch let error as StorageError where error.code == .busy {
            return
        } catch is CancellationError {
            return
        }
    }

    /// Rebuilds all chunks of a stream, slice by slice, in one of the slots if there are many.
    private func rebuildChunks(
        streamID: Int64, _ work: ChunkWork, progress: (Double) throws -> Void
    ) throws {
        let photoCount = try transaction { try $0.photoCount(in: streamID) }
        try transaction { _ in try work.begin(atOnce: photoCount / Self.photosPerChunk) }
        do {
            var doneCount = 0
            _ = try database.rebuildChunks(streamID: streamID, chunksPerSlice: Self.chunksPerSlice) {
                doneCount += Self.chunksPerSlice * Self.photosPerChunk
                try progress(min(1, Double(doneCount) / Double(max(1, photoCount))))
                try work.check()
            }
        } catch let error where !(error is StorageError) {
            // The caller that ended the work may not try again.
            try database.deleteStagedChunks(streamID: streamID)
            throw error
        }
    }

    /// The approximate number of photos in a chunk: only progress and slots depend on it.
    private static let photosPerChunk = 1_024
    /// The number of chunks that are built in one transaction.
    private static let chunksPerSlice = 128
}
