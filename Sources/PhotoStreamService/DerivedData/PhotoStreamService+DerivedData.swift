public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// A stored layout as `cache status` shows it.
public struct StoredLayoutSummary: Hashable, Sendable {
    /// The stream.
    public let stream: StreamName
    /// The configuration's canonical text.
    public let layoutKey: String
    /// How many of the stream's chunks are stored for it.
    public let chunkCount: Int
    /// The bytes of its checkpoints and frames.
    public let byteCount: Int
    /// How many chunks were folded for it since it was first stored; a question that is answered from what is stored
    /// does not raise it.
    public let foldedChunkCount: Int
    /// When it was last asked for, in milliseconds since 1970, to about a minute.
    public let lastUsedMilliseconds: Int64
}

/// What a verification found.
public struct VerificationAnswer: Hashable, Sendable {
    /// How many stored chunks of metrics were compared.
    public var chunkCount = 0
    /// How many stored chunks of frames were compared.
    public var placementCount = 0
    /// How many stored chunks of frames are of an older state and would be folded again: not an error.
    public var outdatedCount = 0
    /// What is stored and differs from what a computation from scratch gives, a sentence each; empty means all is well.
    public var differences: [String] = []
}

extension PhotoStreamService {
    /// Every stored layout, by stream.
    ///
    /// - Complexity: O(stored chunks).
    public func storedLayouts() throws -> [StoredLayoutSummary] {
        try read { reader in
            let names = Dictionary(uniqueKeysWithValues: try reader.streams().map { ($0.id, $0.name) })
            return try reader.layoutSizes().compactMap { size in
                names[size.layout.streamID].map { name in
                    StoredLayoutSummary(
                        stream: name, layoutKey: size.layout.layoutKey, chunkCount: size.chunkCount,
                        byteCount: size.byteCount, foldedChunkCount: size.layout.foldedChunkCount,
                        lastUsedMilliseconds: size.layout.lastUsedMilliseconds)
                }
            }
        }
    }

    /// Removes everything that is derived from the photos; it comes back, identical, at the next question.
    public func clearDerived() throws {
        try write { try $0.clearDerived() }
    }

    /// Computes a layout and stores it, so that the first question finds it ready.
    ///
    /// - Returns: The layout.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, or ``StreamServiceError/storage(code:message:)`` when it
    ///   cannot be stored.
    public func warm(_ stream: StreamName, _ key: LayoutKey) throws -> LayoutAnswer {
        let answer = try layout(of: stream, key)
        try storeOrThrowBusy()
        return answer
    }

    /// Computes everything that is stored of every stream and layout again from the photo rows, and compares.
    ///
    /// - Complexity: O(photos × stored layouts). Reads one stream after the other, each in one transaction.
    public func verifyDerived() throws -> VerificationAnswer {
        var answer = VerificationAnswer()
        for stream in try read({ try $0.streams() }) {
            try read { try DerivedVerifier(reader: $0, stream: stream).verify(&answer) }
        }
        return answer
    }

    /// Brings a stream's stored chunks up to date: after an import, in one pass.
    ///
    /// Read in one transaction, written in another; where somebody else was faster, or holds the file, it is left to
    /// the next question.
    func refreshChunks(streamID: Int64) throws {
        let chunks = try read { try $0.streamChunks(streamID) }
        guard chunks.isUnsaved else { return }
        do {
            _ = try write { try $0.store(chunks) }
        } catch StreamServiceError.storage(code: StorageError.Code.busy.rawValue, _) {
            return
        }
    }
}
