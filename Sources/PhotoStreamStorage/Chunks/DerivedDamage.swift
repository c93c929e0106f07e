import PhotoStreamModel
import Synchronization

/// The error of a read that finds derived data damaged, or inconsistent with the photos.
///
/// ``PhotoDatabase/read(_:)`` catches it, disregards the stream's stored chunks from then on, and runs the closure
/// again.
package struct DerivedDamage: Error {
    /// The damaged chunk; `nil` if unknown.
    let chunkID: Int64?
    /// A sentence for the error that is reported if a retry does not help.
    package let message: String

    /// Creates the error of a damaged stored chunk.
    package init(chunkID: Int64?) {
        self.chunkID = chunkID
        message = "chunk \(chunkID ?? 0) is damaged; `photostream cache clear` repairs it"
    }

    /// Creates the error of an inconsistency between chunks and photos.
    init(_ message: String) {
        chunkID = nil
        self.message = message
    }
}

extension StorageError {
    /// Creates the error of damaged derived data that could not be rebuilt.
    package init(_ damage: DerivedDamage) {
        self.init(.corrupt, message: damage.message)
    }
}

/// The generations of stored chunks that this process has found damaged and disregards.
///
/// They are rebuilt in memory, which needs no write, and stored with a new generation if the file can be written.
final class DistrustedChunks: Sendable {
    private let generations = Mutex<Set<Int64>>([])

    /// Whether the chunks of a generation are disregarded.
    func contains(_ generation: Int64) -> Bool {
        generations.withLock { $0.contains(generation) }
    }

    /// Disregards the stream's chunks that a damaged chunk belongs to, or else all stored chunks.
    ///
    /// - Parameters:
    ///   - damage: The damage.
    ///   - reader: The reader of the file.
    /// - Returns: Whether any were in use before; if not, a retry is useless.
    /// - Throws: `DatabaseError` if SQLite fails.
    func add(_ damage: DerivedDamage, reader: PhotoReader) throws -> Bool {
        // The row of a damaged chunk may name the wrong stream, so the second time all chunks are disregarded.
        if let id = damage.chunkID, try insert(reader.generations(ofChunk: id)) { return true }
        return try insert(reader.generations(ofChunk: nil))
    }

    private func insert(_ found: [Int64]) -> Bool {
        generations.withLock { generations in
            let count = generations.count
            generations.formUnion(found)
            return generations.count > count
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
        var generations: [Int64] = []
        try statement.forEach { generations.append($0.integer(0)) }
        return generations
    }
}
