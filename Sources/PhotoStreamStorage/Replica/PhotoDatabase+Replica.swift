import GRDB
import PhotoStreamModel

/// The state of a file as a replica.
enum ReplicaState {
    /// Whether a file is a replica.
    static func isPresent(_ database: Database) throws -> Bool {
        guard try database.tableExists("replica") else { return false }
        return try RawStatement(database, sql: "SELECT 1 FROM replica").first { _ in true } ?? false
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
    /// The time in which a write is decided again because another program was changing the same rows.
    private static var writePatience: Duration { .seconds(5) }

    /// Runs a write in a transaction of the primary.
    ///
    /// `body` runs on this file, after it was brought up to the state that the primary's transaction sees and while no other
    /// server writes. So what it reads are the primary's rows, and all rules of writes are in one place. What it changed is
    /// then written to the primary, whose commit decides. If the process ends in between, the file catches up as any
    /// follower.
    func write<T>(through primary: any Primary, _ body: (PhotoWriter) throws -> T) throws -> T {
        let start = ContinuousClock.now
        while true {
            do {
                return try writeTransaction { database in
                    let transaction = try primary.begin()
                    defer { transaction.end() }
                    let writer = writer(database, newRowIDs: NewRowIDs(reserve: transaction.reserveRowIDs))
                    try writer.pull(from: transaction)
                    let revision = try writer.reader.lastRevision() ?? 0
                    let (result, changes) = try SharedChangeRecorder.recording(in: database) { try body(writer) }
                    if !changes.isEmpty {
                        try writer.replaceLog(after: revision, by: try transaction.commit(changes))
                    }
                    return result
                }
            } catch is UnknownPosition {
                throw StorageError(
                    .primaryUnavailable,
                    message: "the primary has another history than \(path), which has to be built again first")
            } catch let conflict as PrimaryConflict {
                try Task.checkCancellation()
                guard start.duration(to: .now) < Self.writePatience else {
                    throw StorageError(.busy, message: "the write was given up: \(conflict.reason)")
                }
                pauseForOtherWriters()
            }
        }
    }

    /// Brings the file up to the primary's state.
    ///
    /// - Parameter transaction: A transaction of the primary.
    /// - Returns: The position afterwards.
    /// - Throws: ``UnknownPosition`` if the file must be rebuilt, ``StorageError``.
    @discardableResult
    package func pull(from transaction: any PrimaryTransaction) throws -> ReplicaPosition {
        try writeTransaction { try writer($0).pull(from: transaction) }
    }

    /// Returns how far the file has followed its primary; `nil` if it is not a replica.
    package func replicaPosition() throws -> ReplicaPosition? {
        try read { try $0.replicaPosition() }
    }

    /// Replaces everything that the file shares with its primary in one transaction, while readers see the former state.
    ///
    /// - Parameter body: Calls ``PhotoWriter/replaceAll(position:log:tables:lastIDs:)``.
    /// - Throws: ``StorageError`` and the errors of `body`.
    package func rebuild(_ body: (PhotoWriter) throws -> Void) throws {
        try writeTransaction { try body(writer($0)) }
    }

    /// Makes a replica a file of its own.
    package func endBeingReplica() throws {
        try writeTransaction { try RawStatement($0, sql: "DELETE FROM replica").run() }
    }
}

extension PhotoWriter {
    @discardableResult
    fileprivate func pull(from transaction: any PrimaryTransaction) throws -> ReplicaPosition {
        guard let position = try reader.replicaPosition() else {
            throw UnknownPosition(ReplicaPosition(commitID: 0, revision: 0, tag: 0))
        }
        guard try reader.lastRevision() ?? 0 <= position.revision else {
            // Something else has written to the file, which the primary knows nothing of.
            throw UnknownPosition(ReplicaPosition(commitID: -1, revision: 0, tag: 0))
        }
        let changes = try transaction.changes(after: position)
        if changes.position != position { try apply(changes) }
        return changes.position
    }
}
