import GRDB
import Synchronization

/// Notices commits to a file: those of this database immediately, those of others when ``version()`` is called.
package final class CommitWatch: Sendable {
    private let connection: DatabaseQueue
    private let listeners: CommitListeners
    private let number: Int
    private let database: PhotoDatabase

    fileprivate init(_ database: PhotoDatabase, onCommit: @escaping @Sendable () -> Void) throws {
        var configuration = database.pool.configuration
        configuration.readonly = true
        configuration.label = "PhotoStream commits"
        self.database = database
        connection = try DatabaseQueue(path: database.pool.path, configuration: configuration)
        listeners = database.commits
        number = listeners.add(onCommit)
    }

    deinit {
        listeners.remove(number)
        try? connection.close()
    }

    /// Returns a number that changes with each commit to the file, by any connection or process.
    ///
    /// - Throws: ``StorageError``.
    /// - Complexity: A few microseconds: SQLite compares the header of its log's index.
    package func version() throws -> Int64 {
        try database.translatingErrors {
            try connection.inDatabase { database in
                try RawStatement(database, sql: "PRAGMA data_version").first { $0.integer(0) } ?? 0
            }
        }
    }
}

extension PhotoDatabase {
    /// Watches for commits, until the result is released; release it before ``close()``.
    ///
    /// - Parameter onCommit: Called after each write of this database, on the thread that wrote.
    /// - Returns: The watch, which has a connection of its own.
    /// - Throws: ``StorageError``.
    package func watchCommits(_ onCommit: @escaping @Sendable () -> Void) throws -> CommitWatch {
        try translatingErrors { try CommitWatch(self, onCommit: onCommit) }
    }
}

/// The closures that are called after the writes of a database.
final class CommitListeners: Sendable {
    private struct State {
        var listeners: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Adds a listener and returns its number.
    func add(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = listener
            return state.lastNumber
        }
    }

    /// Removes the listener with a number.
    func remove(_ number: Int) {
        state.withLock { $0.listeners[number] = nil }
    }

    /// Calls all listeners.
    func call() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
    }
}
