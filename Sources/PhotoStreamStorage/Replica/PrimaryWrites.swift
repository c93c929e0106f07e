import PhotoStreamModel
import Synchronization

/// Counts of the writes of a replica that its primary did not accept at once.
package struct PrimaryWriteCounts: Sendable {
    /// The reasons for which a write is refused.
    package enum Refusal: String, CaseIterable, Sendable {
        /// Another program's open transaction blocked it for too long.
        case heldUp = "held-up"
        /// The primary does not answer, or refuses writes.
        case unavailable
        /// Other programs change more than the file can follow.
        case tooMuchNews = "too-much-news"
        /// The primary has another history than the file.
        case otherHistory = "other-history"
        /// The file is being rebuilt.
        case rebuilding
    }

    /// The refused writes, by reason.
    package fileprivate(set) var refused: [Refusal: Int] = [:]
    /// The number of times that a write was retried.
    package fileprivate(set) var againCount = 0
}

extension PhotoDatabase {
    /// The counts of the writes of a replica that its primary did not accept at once.
    package var primaryWriteCounts: PrimaryWriteCounts { file.state.withLock { $0.primaryWrites } }

    /// Counts a write that is retried.
    func countRetriedWrite() { file.state.withLock { $0.primaryWrites.againCount += 1 } }

    /// Counts a refused write.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - error: The error of the write.
    /// - Returns: The error.
    func refusal(_ reason: PrimaryWriteCounts.Refusal, of error: StorageError) -> StorageError {
        file.state.withLock { $0.primaryWrites.refused[reason, default: 0] += 1 }
        return error
    }
}
