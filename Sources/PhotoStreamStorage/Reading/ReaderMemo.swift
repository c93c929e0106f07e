import GRDB
import PhotoStreamModel
import Synchronization

/// What transactions of one connection have read of the file as it is: the small things that every question asks for.
///
/// It holds while nobody else has committed anything. As long as the shared index of the write-ahead log says so, the
/// transaction is put off until something is read that is not remembered: then SQLite tells by its `data_version`, which
/// counts the changes that a connection sees, whether the transaction sees what was remembered.
final class ReaderMemo: Sendable {
    /// Somebody has committed between what memory has told and the first look into the file, or too much before it.
    struct Outdated: Error {}

    /// What is remembered; `nil` for what was not read yet.
    struct Content {
        var logEnd: RowCache.LogEnd?
        var cursorKey: [UInt8]?
        /// By name, and by row id.
        var streams: [StreamName: StreamRow] = [:]
        var marks: [Int64: StreamMark] = [:]
    }

    private struct State {
        var content = Content()
        /// The `data_version` of the transaction that ``content`` was read in.
        var version: Int64?
        /// The state of the file right before that transaction; whoever finds it again would see the same.
        var snapshot: FileSnapshot?
        var isOpen = false
        var isOutdated = false
    }

    /// How many streams are remembered; beyond it all are forgotten.
    private static let streamLimit = 64

    private let state = Mutex(State())

    /// Begins to read: at once, or when it comes to that where all that is remembered still holds.
    ///
    /// - Parameter database: The connection, without a transaction.
    /// - Throws: `DatabaseError` when SQLite fails.
    func begin(_ database: Database) throws {
        let now = FileSnapshot(database)
        let holds = state.withLock { state in
            state.isOutdated = false
            return now != nil && state.snapshot == now
        }
        if holds { return }
        let version = try open(database)
        state.withLock { state in
            if version == nil || state.version != version { state.content = Content() }
            (state.version, state.snapshot) = (version, now)
        }
    }

    /// Begins the transaction, where it was put off.
    ///
    /// - Parameter database: The connection.
    /// - Throws: `DatabaseError` when SQLite fails, ``Outdated`` where somebody has committed since ``begin(_:)``.
    func openIfPutOff(_ database: Database) throws {
        let (isOpen, expected) = state.withLock { state in
            defer { if !state.isOpen { state.isOutdated = true } }
            return (state.isOpen, state.version)
        }
        if isOpen { return }
        // Whatever fails here, nothing that is told afterwards counts.
        guard try open(database) == expected else { throw Outdated() }
        state.withLock { $0.isOutdated = false }
    }

    /// Ends the transaction, if one was begun.
    ///
    /// - Parameter database: The connection.
    /// - Returns: Whether all that was told was of one state of the file.
    func end(_ database: Database) -> Bool {
        let (wasOpen, isOutdated) = state.withLock { state in
            defer { state.isOpen = false }
            return (state.isOpen, state.isOutdated)
        }
        if wasOpen { try? RawStatement(database, "ROLLBACK").run() }
        return !isOutdated
    }

    private func open(_ database: Database) throws -> Int64? {
        try RawStatement(database, "BEGIN").run()
        state.withLock { $0.isOpen = true }
        return try RawStatement(database, "PRAGMA data_version").first { $0.integer(0) }
    }

    /// A part of what is remembered.
    func known<Value: Sendable>(_ read: (Content) -> Value?) -> Value? {
        state.withLock { read($0.content) }
    }

    /// Remembers more.
    func remember(_ change: (inout Content) -> Void) {
        state.withLock { state in
            if max(state.content.streams.count, state.content.marks.count) >= Self.streamLimit {
                (state.content.streams, state.content.marks) = ([:], [:])
            }
            change(&state.content)
        }
    }
}

extension PhotoReader {
    /// The stream's state in this transaction, as ``mark(_:since:)`` gives it.
    ///
    /// - Parameters:
    ///   - streamID: The stream.
    ///   - known: What an earlier call answered; asked for where the state has to be looked for.
    /// - Returns: The state.
    /// - Throws: `DatabaseError` when SQLite fails.
    package func mark(_ streamID: Int64, since known: () -> StreamMark?) throws -> StreamMark {
        if let mark = memo?.known({ $0.marks[streamID] }) { return mark }
        let mark = try mark(streamID, since: known())
        memo?.remember { $0.marks[streamID] = mark }
        return mark
    }
}
