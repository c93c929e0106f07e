import Foundation
import GRDB
import Synchronization

/// Connections for reads of a few rows that wait for nobody: who finds none free, or a lock, is told so and reads
/// elsewhere.
final class BriefReaders: Sendable {
    private struct Connection {
        let queue: DatabaseQueue
        let memo = ReaderMemo()
    }

    private struct State {
        /// The one that was used last comes first, for what it has read is at hand.
        var idle: [Connection] = []
        var openCount = 0
        var isClosed = false
    }

    /// One for each thread that can run at once.
    private static let limit = ProcessInfo.processInfo.activeProcessorCount
    private let state = Mutex(State())
    private let path: String
    private let configuration: Configuration
    private let identity: FileIdentity?

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: How connections are opened.
    ///   - identity: Which file it is: one that has taken its place by the time of a first read is not read.
    init(path: String, configuration: Configuration, identity: FileIdentity?) {
        self.path = path
        self.configuration = configuration
        self.identity = identity
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Parameter body: What to read, with what the connection remembers.
    /// - Returns: What `body` returns; `nil` where no connection is free, somebody holds a lock, or somebody has committed
    ///   after the first look at what the connection remembers and before the first one into the file.
    /// - Throws: What `body` throws.
    func read<T>(_ body: (Database, ReaderMemo) throws -> T) throws -> T? {
        do {
            guard let connection = try take() else { return nil }
            defer { giveBack(connection) }
            return try connection.queue.unsafeRead { database -> T? in
                let result: T
                do {
                    try connection.memo.begin(database)
                    result = try body(database, connection.memo)
                } catch {
                    _ = connection.memo.end(database)
                    throw error
                }
                return connection.memo.end(database) ? result : nil
            }
        } catch is ReaderMemo.Outdated {
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return nil
        }
    }

    /// Runs `body` in one read transaction of a connection that has none.
    ///
    /// GRDB's own asks the file beside that whether its schema has changed, for what it remembers of it; our statements
    /// remember nothing.
    static func transaction<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        try RawStatement(database, "BEGIN").run()
        defer { try? RawStatement(database, "ROLLBACK").run() }
        return try body(database)
    }

    /// Closes the connections; from now on there is none.
    func close() throws {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { try connection.queue.close() }
    }

    private func take() throws -> Connection? {
        let (known, mayOpen) = state.withLock { state -> (Connection?, Bool) in
            if let known = state.idle.popLast() { return (known, false) }
            guard !state.isClosed, state.openCount < Self.limit else { return (nil, false) }
            state.openCount += 1
            return (nil, true)
        }
        guard mayOpen else { return known }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            guard FileIdentity(path: path) == identity else {
                try? queue.close()
                state.withLock { $0.openCount -= 1 }
                return nil
            }
            try queue.unsafeRead { try RawStatement($0, "PRAGMA busy_timeout = 0").run() }
            return Connection(queue: queue)
        } catch {
            state.withLock { $0.openCount -= 1 }
            throw error
        }
    }

    private func giveBack(_ connection: Connection) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.idle.append(connection) }
            return state.isClosed
        }
        if isClosed { try? connection.queue.close() }
    }
}
