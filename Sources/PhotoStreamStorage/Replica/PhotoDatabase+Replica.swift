import GRDB
import PhotoStreamModel
import Synchronization

/// The state of a file as a replica.
enum ReplicaState {
    /// Whether a file is a replica.
    static func isPresent(_ database: Database) throws -> Bool {
        guard try database.tableExists("replica") else { return false }
        return try database.exists("SELECT 1 FROM replica")
    }
}

/// Lets callers that wait for a look at the primary share it; one look runs at a time, while this is locked.
final class CatchingUp: Sendable {
    private struct Look {
        var start = ContinuousClock.now
        var isDone = false
    }

    private let last = Mutex<Look?>(nil)

    /// Runs `body` after the calls of other callers, unless one has begun after this call and has finished.
    ///
    /// - Returns: The result of the last run.
    func run(_ body: () -> Bool) -> Bool {
        let arrival = ContinuousClock.now
        return last.withLock { last in
            if let last, last.start >= arrival { return last.isDone }
            var look = Look()
            look.isDone = body()
            last = look
            return look.isDone
        }
    }
}

extension StorageError {
    /// The error of a write to a replica without its primary.
    static func replica(_ path: String) -> StorageError {
        StorageError(
            .readOnly,
            message: "\(path) is a replica of a PostgreSQL database, where its changes belong; name it with --primary")
    }
}

extension PhotoDatabase {
    /// The maximum time for which a write is retried because another program was changing the same rows.
    private static var writeTimeout: Duration { .seconds(5) }

    /// Runs a write in a transaction of the primary.
    ///
    /// `body` runs on this file, after it was brought up to the state that the primary's transaction sees and while no
    /// other server writes. So it reads the primary's rows, and all rules of writes are in one place. Its changes are
    /// then written to the primary, whose commit decides. If the process ends in between, the file catches up like any
    /// follower.
    func write<T>(through primary: any Primary, _ body: (PhotoWriter) throws -> T) throws -> T {
        guard !isRebuilding else {
            throw refusal(
                .rebuilding,
                of: StorageError(.primaryUnavailable, message: "\(path) is being built again from its primary"))
        }
        let start = ContinuousClock.now
        while true {
            do {
                var forgets = false
                defer { if forgets { countRebuild() } }
                return try writeTransaction { database in
                    let transaction = try primary.begin()
                    defer { transaction.end() }
                    let writer = writer(database, newRowIDs: NewRowIDs(reserve: transaction.reserveRowIDs))
                    forgets = try writer.pull(from: transaction)
                    let revision = try writer.reader.lastRevision() ?? 0
                    let (result, changes) = try SharedChangeRecorder.recording(in: database) { try body(writer) }
                    if !changes.isEmpty {
                        try writer.replaceLog(after: revision, by: try transaction.commit(changes))
                    }
                    return result
                }
            } catch PrimaryInterruption.longNews {
                try Task.checkCancellation()
                guard start.duration(to: .now) < Self.writeTimeout else {
                    throw refusal(
                        .tooMuchNews,
                        of: StorageError(
                            .busy,
                            message: "the write was given up: other programs change more than \(path) can follow"))
                }
                countRetriedWrite()
                try pullBeforeWriting(from: primary)
            } catch PrimaryInterruption.unknownPosition {
                throw refusal(
                    .otherHistory,
                    of: StorageError(
                        .primaryUnavailable,
                        message: "the primary has another history than \(path), which has to be built again first"))
            } catch let other as OtherPrimary {
                throw refusal(
                    .otherHistory, of: StorageError(.primaryUnavailable, message: other.description))
            } catch PrimaryInterruption.conflict(let reason) {
                try Task.checkCancellation()
                guard start.duration(to: .now) < Self.writeTimeout else {
                    throw refusal(
                        .heldUp, of: StorageError(.busy, message: "the write was given up: \(reason)"))
                }
                countRetriedWrite()
                pauseForOtherWriters()
            } catch let error as StorageError where [.primaryUnavailable, .commitUnknown].contains(error.code) {
                throw refusal(.unavailable, of: error)
            }
        }
    }

    private func pullBeforeWriting(from primary: any Primary) throws {
        let transaction = primary.beginReading()
        defer { transaction.end() }
        // The write itself finds out whether a rebuild is needed or the primary is another one.
        do { try pull(from: transaction) } catch PrimaryInterruption.unknownPosition {} catch is OtherPrimary {}
    }

    /// Brings a replica up to the current state of its primary, so that reads find what another server has just
    /// written.
    ///
    /// Callers that wait while another one reads from the primary share the next read.
    ///
    /// - Returns: Whether the file may have changed; `false` if it has no primary, or the primary does not answer.
    package func catchUp() -> Bool {
        guard let primary, !isRebuilding else { return false }
        return catchingUp.run {
            let transaction = primary.beginReading()
            defer { transaction.end() }
            // A file that must be rebuilt is left to its follower.
            return (try? pull(from: transaction)) != nil
        }
    }

    /// Brings the file up to the primary's state.
    ///
    /// Writes of this process continue while it waits for the primary.
    ///
    /// - Parameter transaction: A transaction of the primary.
    /// - Returns: The position afterwards.
    /// - Throws: ``PrimaryInterruption/unknownPosition`` if the file must be rebuilt, ``OtherPrimary``, ``StorageError``.
    @discardableResult
    package func pull(from transaction: any PrimaryTransaction) throws -> ReplicaPosition {
        let position = try read { try $0.followedPosition() }
        let changes = try transaction.changes(after: position)
        guard changes.position != position else { return position }
        var forgets = false
        defer { if forgets { countRebuild() } }
        return try writeTransaction { database in
            let writer = writer(database)
            // A write of this server may have read the same changes in the meantime.
            let current = try writer.reader.followedPosition()
            guard current == position else { return current }
            forgets = try writer.apply(changes)
            return changes.position
        }
    }

    /// Returns how far the file has followed its primary; `nil` if it is not a replica.
    package func replicaPosition() throws -> ReplicaPosition? {
        try read { try $0.replicaPosition() }
    }

    /// Replaces everything that the file shares with its primary in one transaction, while readers see the former state.
    ///
    /// Other writes are refused meanwhile. Only one thread does this.
    ///
    /// - Parameter body: Calls ``PhotoWriter/replaceAll(position:log:tables:lastIDs:)``.
    /// - Throws: ``StorageError`` and the errors of `body`.
    package func rebuild(_ body: (PhotoWriter) throws -> Void) throws {
        file.state.withLock { $0.isRebuilding = true }
        defer { file.state.withLock { $0.isRebuilding = false } }
        try writeTransaction { try body(writer($0)) }
        countRebuild()
    }

    private var isRebuilding: Bool { file.state.withLock { $0.isRebuilding } }

    /// Counts a change that invalidates everything derived from the file.
    private func countRebuild() { file.state.withLock { $0.rebuildCount += 1 } }

    /// The number of times that this process has replaced what the file shares with its primary, or its secret;
    /// everything derived from the file before is invalid.
    package var rebuildCount: Int { file.state.withLock { $0.rebuildCount } }

    /// Makes a replica an independent file.
    package func endBeingReplica() throws {
        try writeTransaction { database in
            try database.run("DELETE FROM replica")
            try PhotoWriter.removeImageKeys(from: database)
        }
    }
}

extension PhotoWriter {
    /// Brings the file up to the state of a transaction.
    ///
    /// - Returns: As ``apply(_:)``.
    fileprivate func pull(from transaction: any PrimaryTransaction) throws -> Bool {
        let position = try reader.followedPosition()
        let changes = try transaction.changes(after: position)
        return changes.position == position ? false : try apply(changes)
    }
}

extension PhotoReader {
    /// Returns the position from which the file can follow its primary.
    ///
    /// - Throws: ``PrimaryInterruption/unknownPosition`` if there is none, ``StorageError``.
    fileprivate func followedPosition() throws -> ReplicaPosition {
        guard let position = try replicaPosition() else {
            throw PrimaryInterruption.unknownPosition
        }
        guard try lastRevision() ?? 0 <= position.revision else {
            // Another program wrote to the file; the primary lacks that change.
            throw PrimaryInterruption.unknownPosition
        }
        return position
    }
}
