import PhotoStreamModel
import Synchronization

extension PhotoDatabase {
    /// Disregards damaged derived data from now on: the stored chunks of the stream that a damaged chunk belongs to, or
    /// else of all streams.
    ///
    /// - Parameters:
    ///   - chunkID: The damaged chunk; `nil` if it is not known.
    ///   - message: The message of the error.
    /// - Throws: ``StorageError``, with ``StorageFailure/corrupt`` if they were disregarded before: rebuilding them does not
    ///   repair the damage.
    package func distrust(chunkID: Int64?, message: String) throws {
        let wereInUse = try read { reader in
            // The row of a damaged chunk may name the wrong stream, so the second time all chunks are disregarded.
            if let chunkID, try disregard(reader.generations(ofChunk: chunkID)) { return true }
            return try disregard(reader.generations(ofChunk: nil))
        }
        guard wereInUse else { throw StorageError(.corrupt, message: message) }
    }

    /// Disregards generations of stored chunks, and returns whether any was in use before.
    private func disregard(_ generations: [Int64]) -> Bool {
        file.state.withLock { state in
            let count = state.distrustedGenerations.count
            state.distrustedGenerations.formUnion(generations)
            return state.distrustedGenerations.count > count
        }
    }
}

extension PhotoReader {
    /// Returns the generations of all stored chunks, or of those of a chunk's stream.
    fileprivate func generations(ofChunk chunkID: Int64?) throws -> [Int64] {
        let condition = "WHERE streamId = (SELECT streamId FROM chunk WHERE id = ?1)"
        let statement = try RawStatement(
            database, sql: "SELECT generation FROM streamIndex \(chunkID == nil ? "" : condition)")
        if let chunkID { try statement.bind(chunkID) }
        return try statement.rows { $0.integer(0) }
    }
}
