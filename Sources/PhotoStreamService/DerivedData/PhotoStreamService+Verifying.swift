import Logging
import PhotoStreamStorage

/// What a verification found.
public struct VerificationAnswer: Hashable, Sendable {
    /// How many stored chunks of metrics were compared.
    public var chunkCount = 0
    /// How many stored checkpoints were compared.
    public var placementCount = 0
    /// How many stored chunks of frames were compared.
    public var framesCount = 0
    /// How many stored checkpoints are of an older state and would be folded again: not an error.
    public var outdatedCount = 0
    /// How many chunks are stored that do not count: somebody makes them anew now, or was killed while at it.
    ///
    /// Not an error, since nobody reads them; the next rebuild or clear deletes them.
    public var leftoverCount = 0
    /// What is stored and differs from what a computation from scratch gives, and what is wrong with the file itself, a
    /// sentence each that says what helps; empty means all is well.
    public var differences: [String] = []
}

extension VerificationAnswer {
    /// Adds what was found of a stream.
    fileprivate mutating func add(_ other: VerificationAnswer) {
        chunkCount += other.chunkCount
        placementCount += other.placementCount
        framesCount += other.framesCount
        outdatedCount += other.outdatedCount
        differences += other.differences
    }
}

extension PhotoStreamService {
    /// Computes everything that is stored of every stream and layout again from the photo rows, and compares.
    ///
    /// In addition checks the file itself: its schema, SQLite's own structures, checksums, and rows that belong to nothing.
    ///
    /// Reads in many short transactions, so that the write-ahead log can be emptied meanwhile. A stream that is written to
    /// in between is begun anew; the third time it is read in one transaction after all.
    ///
    /// - Returns: What was found.
    /// - Throws: ``StreamServiceError/storage(code:message:)``, and `CancellationError` when the task is cancelled.
    /// - Complexity: O(photos × stored layouts).
    public func verifyDerived() throws -> VerificationAnswer { try verifyDerived(betweenReads: {}) }

    /// As ``verifyDerived()``; calls `betweenReads` before each transaction.
    func verifyDerived(betweenReads: @escaping () throws -> Void) throws -> VerificationAnswer {
        var answer = VerificationAnswer()
        answer.differences = try read { try $0.fileProblems() }
        for (table, count) in try read({ try $0.damagedRowCounts() }) {
            answer.differences.append(
                "rows of \(table) with a wrong checksum: \(count); `photostream cache clear` removes them")
        }
        for stream in try damageTold(to: &answer, { try read { try $0.streams() } }) ?? [] {
            if let found = try damageTold(to: &answer, { try verify(stream, betweenReads) }) { answer.add(found) }
        }
        let (orphans, leftoverCount) = try read { (try $0.orphanCounts(), try $0.leftoverChunkCount()) }
        for (table, count) in orphans where count > 0 {
            answer.differences.append("\(count) rows of \(table.rawValue) belong to nothing")
        }
        answer.leftoverCount = leftoverCount
        return answer
    }

    /// Runs a part of the work; where the file is damaged, the answer says so and the rest goes on.
    private func damageTold<T>(to answer: inout VerificationAnswer, _ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch StreamServiceError.storage(let code, let message)
            where [StorageError.Code.corrupt, .database].map(\.rawValue).contains(code)
        {
            answer.differences.append(message)
            return nil
        }
    }

    private func verify(_ stream: StreamRow, _ betweenReads: @escaping () throws -> Void) throws -> VerificationAnswer {
        for _ in 0..<2 {
            var first: StreamVersion?
            var verifier = DerivedVerifier(stream) { body in
                try betweenReads()
                try self.read { reader in
                    let mark = try reader.version(of: stream.id, since: nil)
                    guard first?.isSameState(as: mark) ?? true else { throw DerivedVerifier.StreamHasMoved() }
                    first = first ?? mark
                    try body(reader)
                }
            }
            do {
                try verifier.verify()
                return verifier.answer
            } catch is DerivedVerifier.StreamHasMoved {
                logger.info("verifying begins anew", metadata: ["stream": "\(stream.name)"])
            }
        }
        try betweenReads()
        return try read { reader in
            var verifier = DerivedVerifier(stream) { try $0(reader) }
            try verifier.verify()
            return verifier.answer
        }
    }
}
