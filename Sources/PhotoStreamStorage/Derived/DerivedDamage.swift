import PhotoStreamModel
import Synchronization

/// What reading throws that finds derived data damaged, or contradicting the photos.
///
/// ``PhotoDatabase/read(_:)`` answers it: what is stored of the stream's chunks counts no more, and the question is asked
/// again.
package struct DerivedDamage: Error {
    /// The chunk that is damaged; `nil` where it is not known which one is.
    let chunkID: Int64?
    /// One sentence, for when asking again does not help.
    package let message: String

    /// Damage of a chunk that the file has.
    package init(chunkID: Int64?) {
        self.chunkID = chunkID
        message = "chunk \(chunkID ?? 0) is damaged; `photostream cache clear` repairs it"
    }

    /// A contradiction between chunks and photos.
    init(_ message: String) {
        chunkID = nil
        self.message = message
    }
}

extension StorageError {
    /// The error of damaged derived data that could not be made again.
    package init(_ damage: DerivedDamage) {
        self.init(.corrupt, damage.message)
    }
}

/// The generations of stored chunks that were found damaged by this process: they do not count, whatever the file says.
///
/// They are made again in memory, which needs no write, and stored under another generation where the file can be written.
final class DistrustedChunks: Sendable {
    private let generations = Mutex<Set<Int64>>([])

    /// Whether chunks of a generation do not count.
    func contains(_ generation: Int64) -> Bool {
        generations.withLock { $0.contains(generation) }
    }

    /// Distrusts the chunks that a damaged one belongs to, or else all that the file has.
    ///
    /// - Parameters:
    ///   - damage: What was found.
    ///   - reader: Reads the file.
    /// - Returns: Whether some counted until now: if not, there is no use in asking again.
    /// - Throws: `DatabaseError` when SQLite fails.
    func add(_ damage: DerivedDamage, _ reader: PhotoReader) throws -> Bool {
        // The row of a damaged chunk may name another stream, so the second time all of them go.
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
    /// The generations of all stored chunks, or of those of the stream that a chunk belongs to.
    fileprivate func generations(ofChunk chunkID: Int64?) throws -> [Int64] {
        let condition = "WHERE streamId = (SELECT streamId FROM chunk WHERE id = ?1)"
        let statement = try RawStatement(
            database, "SELECT generation FROM streamIndex \(chunkID == nil ? "" : condition)")
        if let chunkID { statement.bind(1, chunkID) }
        var generations: [Int64] = []
        try statement.forEach { generations.append($0.integer(0)) }
        return generations
    }
}
