public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// A layout that was asked for, as `cache status` shows it.
public struct StoredLayoutSummary: Hashable, Sendable {
    /// The stream.
    public let stream: StreamName
    /// The configuration's canonical text.
    public let layoutKey: String
    /// Whether checkpoints and frames of it are stored: not before it was asked for again a while after the first time, and
    /// not where its checkpoints alone take more than the budget.
    public let isKept: Bool
    /// How many of the stream's chunks have their checkpoint stored.
    public let chunkCount: Int
    /// How many of the stream's chunks have their frames stored: those that were served.
    public let framesCount: Int
    /// The bytes of what is stored.
    public let byteCount: Int64
    /// How many questions were answered from what was there.
    public let hitCount: Int
    /// How many chunks were folded for it; a question that is answered from what is there does not raise it.
    public let foldedChunkCount: Int
    /// When it was last asked for, in milliseconds since 1970, to about a minute.
    public let lastUsedMilliseconds: Int64
}

/// What is stored of layouts.
public struct CacheStatus: Hashable, Sendable {
    /// Every layout that was asked for, by stream, then least recently used last.
    public let layouts: [StoredLayoutSummary]
    /// The bytes that all of them take.
    public let byteCount: Int64
    /// The bytes that they may take.
    public let budget: Int64
}

extension PhotoStreamService {
    /// What is stored of layouts.
    ///
    /// - Complexity: O(stored chunks).
    public func cacheStatus() throws -> CacheStatus {
        try read { reader in
            let names = Dictionary(uniqueKeysWithValues: try reader.streams().map { ($0.id, $0.name) })
            let layouts = try reader.layoutSizes().compactMap { size in
                names[size.layout.streamID].map { name in
                    StoredLayoutSummary(
                        stream: name, layoutKey: size.layout.layoutKey, isKept: size.layout.isKept,
                        chunkCount: size.chunkCount, framesCount: size.framesCount, byteCount: size.layout.byteCount,
                        hitCount: size.layout.hitCount, foldedChunkCount: size.layout.foldedChunkCount,
                        lastUsedMilliseconds: size.layout.lastUsedMilliseconds)
                }
            }
            return CacheStatus(
                layouts: layouts, byteCount: try reader.layoutByteCount(), budget: try reader.layoutBudget())
        }
    }

    /// Says how many bytes all layouts of the file may take together, for every process that uses it, and drops the least
    /// recently used beyond that.
    ///
    /// - Parameter byteCount: 0 keeps nothing. The default is 256 MiB.
    /// - Throws: ``StreamServiceError/invalidBudget(_:)`` for a negative number.
    public func setCacheBudget(_ byteCount: Int64) throws {
        guard byteCount >= 0 else { throw StreamServiceError.invalidBudget(byteCount) }
        try write { try $0.setLayoutBudget(byteCount) }
    }

    /// Removes everything that is derived from the photos; it comes back, identical, at the next question.
    ///
    /// In short writes; one that is broken off leaves a file that is right. Triggers and indexes that another program has
    /// dropped or changed are made again; then each stream gets another revision, since its log has missed changes.
    ///
    /// - Returns: Which triggers and indexes were made again, such as `trigger photoUpdated`.
    /// - Throws: ``StreamServiceError/storage(code:message:)``.
    @discardableResult
    public func clearDerived() throws -> [String] {
        try translatingStorageErrors { try database.clearDerived() }
        layouts.forgetAll()
        contents.forgetAll()
        return try translatingStorageErrors { try database.restoreSchema() }
    }

    /// Computes a layout and stores it, so that the first question finds it ready.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout.
    ///   - progress: Called now and then with the part that is done, up to 1; what it throws ends the work.
    /// - Returns: The layout.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/budgetTooSmall(needed:budget:)``, or
    ///   ``StreamServiceError/storage(code:message:)`` when it cannot be stored.
    public func warm(
        _ stream: StreamName, _ key: LayoutKey, progress: (Double) throws -> Void = { _ in }
    ) throws -> LayoutAnswer {
        guard !isReadOnly else {
            throw StreamServiceError.storage(
                code: StorageError.Code.readOnly.rawValue, message: "\(database.path) is open for reading only")
        }
        for _ in 0..<Self.warmAttempts {
            let (answer, streamID) = try withLayout(of: stream, key, progress: progress) { row, placed in
                (LayoutAnswer(row, placed), row.id)
            }
            let cacheKey = LayoutCache.Key(streamID: streamID, layoutKey: key)
            layouts.keep(cacheKey)
            try storeOrThrowBusy()
            if layouts.isStored(cacheKey) { return answer }
            let (needed, budget) = try read { reader in
                (layouts.checkpointByteCount(cacheKey), try reader.layoutBudget())
            }
            if needed > budget { throw StreamServiceError.budgetTooSmall(needed: needed, budget: budget) }
            // Somebody else has changed or stored the stream meanwhile.
            try Task.checkCancellation()
        }
        throw StreamServiceError.storage(
            code: StorageError.Code.busy.rawValue,
            message: "stream \"\(stream)\" was changed \(Self.warmAttempts) times while its layout was stored")
    }

    /// How often a layout is computed that somebody else's writes keep from being stored.
    private static let warmAttempts = 20

    /// Whether anything is ever stored of a layout: places that are computed from positions are not.
    public static func stores(_ key: LayoutKey) -> Bool { !LayoutEngine(key).placesByFunction }

    /// Brings a stream's stored chunks up to date: after an import.
    ///
    /// Where nearly all of them are to be made anew that is done slice by slice, else in one transaction; where somebody
    /// else was faster, or holds the file, or the task is cancelled, it is left to the next question.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - progress: Called now and then with the part that is done, up to 1; what it throws ends the work.
    /// - Throws: ``StreamServiceError/storage(code:message:)``, and what `progress` throws.
    func refreshChunks(streamID: Int64, progress: (Double) throws -> Void = { _ in }) throws {
        let flight = LayoutFlight()
        defer { layouts.end(flight) }
        do {
            if try read({ try $0.needsRebuild(streamID) }) {
                try rebuildChunks(streamID: streamID, ChunkWork(self, flight, in: nil), progress: progress)
            } else {
                let chunks = try read { reader in
                    let work = ChunkWork(self, flight, in: reader)
                    return try reader.streamChunks(streamID) { part in
                        try work.begin()
                        try progress(part)
                    }
                }
                guard chunks.isUnsaved else { return }
                _ = try translatingStorageErrors { try database.store(chunks) { try Task.checkCancellation() } }
            }
        } catch StreamServiceError.storage(code: StorageError.Code.busy.rawValue, _) {
            return
        } catch is CancellationError {
            return
        }
    }

    /// Makes all chunks of a stream anew, slice by slice, in one of the slots where they are many.
    private func rebuildChunks(
        streamID: Int64, _ work: ChunkWork, progress: (Double) throws -> Void
    ) throws {
        let photoCount = try read { try $0.photoCount(in: streamID) }
        try read { _ in try work.begin(atOnce: photoCount / Self.photosPerChunk) }
        do {
            var doneCount = 0
            _ = try translatingStorageErrors {
                try database.rebuildChunks(streamID: streamID, chunksPerSlice: Self.chunksPerSlice) {
                    doneCount += Self.chunksPerSlice * Self.photosPerChunk
                    try progress(min(1, Double(doneCount) / Double(max(1, photoCount))))
                    try work.check()
                }
            }
        } catch let error where !(error is StreamServiceError) {
            // Whoever ended it may not come back.
            try translatingStorageErrors { try database.deleteStagedChunks(streamID: streamID) }
            throw error
        }
    }

    /// How many photos a chunk has, about: only progress and slots depend on it.
    private static let photosPerChunk = 1_024
    /// How many chunks are made in one transaction.
    private static let chunksPerSlice = 128
}
