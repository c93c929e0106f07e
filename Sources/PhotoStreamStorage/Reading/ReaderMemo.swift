import GRDB
import PhotoStreamModel
import Synchronization

/// What transactions of one connection have read of the file as it is: the small things that every question asks for.
///
/// It holds while nobody else has committed anything. SQLite tells that a connection that never writes by its
/// `data_version`, read in the very transaction that uses what is remembered.
final class ReaderMemo: Sendable {
    /// What is remembered; `nil` for what was not read yet.
    struct Content {
        var logEnd: RowCache.LogEnd?
        var cursorKey: [UInt8]?
        /// By name, and by row id.
        var streams: [StreamName: StreamRow] = [:]
        var marks: [Int64: StreamMark] = [:]
    }

    /// How many streams are remembered; beyond it all are forgotten.
    private static let streamLimit = 64

    private let state = Mutex((version: Int64?.none, content: Content()))

    /// Forgets everything where somebody has committed something since the last transaction: the first thing that each does.
    ///
    /// - Parameter database: The connection, in a transaction that has read nothing yet.
    /// - Throws: `DatabaseError` when SQLite fails.
    func begin(_ database: Database) throws {
        let version = try RawStatement(database, "PRAGMA data_version").first { $0.integer(0) }
        state.withLock { state in
            guard version == nil || state.version != version else { return }
            (state.version, state.content) = (version, Content())
        }
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
