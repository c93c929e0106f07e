import Logging
import PhotoStreamModel
import PhotoStreamStorage

/// The result of a verification.
public struct VerificationAnswer: Hashable, Sendable {
    /// The number of stored chunks of metrics that were compared.
    public var chunkCount = 0
    /// The number of stored checkpoints that were compared.
    public var placementCount = 0
    /// The number of stored chunks of frames that were compared.
    public var framesCount = 0
    /// The number of stored checkpoints of an older state, which would be folded again: not an error.
    public var outdatedCount = 0
    /// The number of stored chunks that are ignored: another process is rebuilding them, or was killed while doing so.
    ///
    /// Not an error, since they are never read; the next rebuild or clear deletes them.
    public var leftoverCount = 0
    /// Stored data that differ from a new computation, and faults of the file itself: one sentence each, with the
    /// remedy.
    ///
    /// Empty if there are none.
    public var differences: [String] = []
}

extension VerificationAnswer {
    /// Adds the result of a stream.
    fileprivate mutating func add(_ other: VerificationAnswer) {
        chunkCount += other.chunkCount
        placementCount += other.placementCount
        framesCount += other.framesCount
        outdatedCount += other.outdatedCount
        differences += other.differences
    }
}

extension PhotoStreamService {
    /// Recomputes all stored data of every stream and layout from the photo rows, and compares.
    ///
    /// In addition, checks the file itself: its schema, SQLite's own structures, checksums, and orphaned rows.
    ///
    /// Reads in many short transactions, so that the write-ahead log can be emptied meanwhile. If a stream is written
    /// to in between, it starts again; the third time, the stream is read in one transaction.
    ///
    /// - Throws: `StorageError`, and `CancellationError` if the task is cancelled.
    /// - Complexity: O(photos × stored layouts).
    public func verifyDerived() throws -> VerificationAnswer { try verifyDerived(betweenReads: {}) }

    /// As ``verifyDerived()``; calls `betweenReads` before each transaction.
    func verifyDerived(betweenReads: @escaping () throws -> Void) throws -> VerificationAnswer {
        var answer = VerificationAnswer()
        answer.differences = try transaction { try $0.fileProblems() }
        for (table, count) in try transaction({ try $0.damagedRowCounts() }) {
            answer.differences.append(
                "rows of \(table) with a wrong checksum: \(count); `photostream cache clear` removes them")
        }
        let words = try reportingDamage(to: &answer) { try transaction { try $0.wordDifferences(sampleCount: 100) } }
        answer.differences += words ?? []
        for stream in try reportingDamage(to: &answer, { try transaction { try $0.streams() } }) ?? [] {
            if let found = try reportingDamage(to: &answer, { try verify(stream, betweenReads: betweenReads) }) {
                answer.add(found)
            }
        }
        let (orphans, leftoverCount) = try transaction { (try $0.orphanCounts(), try $0.leftoverChunkCount()) }
        for (table, count) in orphans where count > 0 {
            answer.differences.append("\(count) rows of \(table.rawValue) belong to nothing")
        }
        answer.leftoverCount = leftoverCount
        return answer
    }

    /// Runs a part of the work; if the file is damaged, adds the damage to the answer and returns `nil`.
    private func reportingDamage<T>(to answer: inout VerificationAnswer, _ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as StorageError where [.corrupt, .database].contains(error.code) {
            answer.differences.append(error.message)
            return nil
        }
    }

    private func verify(_ stream: StreamRow, betweenReads: @escaping () throws -> Void) throws -> VerificationAnswer {
        for _ in 0..<2 {
            var first: StreamVersion?
            var hasMoved = false
            var verifier = DerivedVerifier(stream) { body in
                guard !hasMoved else { return }
                try betweenReads()
                try self.transaction { reader in
                    let version = try reader.version(of: stream.id, since: nil)
                    hasMoved = !(first?.isSameState(as: version) ?? true)
                    first = first ?? version
                    if !hasMoved { try body(reader) }
                }
            }
            try verifier.verify()
            if !hasMoved { return verifier.answer }
            logger.info("verifying begins again", metadata: ["stream": "\(stream.name)"])
        }
        try betweenReads()
        return try transaction { reader in
            var verifier = DerivedVerifier(stream) { try $0(reader) }
            try verifier.verify()
            return verifier.answer
        }
    }
}
