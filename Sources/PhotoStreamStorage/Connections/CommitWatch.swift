import GRDB
import Synchronization

/// Notices commits to a file: those of this database immediately, those of others when ``version()`` is called.
package final class CommitWatch: Sendable {
    private let connection: DatabaseQueue
    private let number: Int
    private let database: PhotoDatabase

    fileprivate init(_ database: PhotoDatabase, onCommit: @escaping @Sendable () -> Void) throws {
        var configuration = database.pool.configuration
        configuration.readonly = true
        configuration.label = "PhotoStream commits"
        self.database = database
        connection = try DatabaseQueue(path: database.pool.path, configuration: configuration)
        number = database.file.addListener(onCommit)
    }

    deinit {
        database.file.removeListener(number)
        try? connection.close()
    }

    /// Returns a number that changes with each commit to the file, by any connection or process.
    ///
    /// - Throws: ``StorageError``.
    /// - Complexity: A few microseconds: SQLite compares the header of its log's index.
    package func version() throws -> Int64 {
        try database.translatingErrors {
            try connection.inDatabase { database in
                try database.number("PRAGMA data_version")
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

    /// Returns an element after each write of this database, for a limited time; a slow reader misses some.
    package func commits(within time: Duration) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [file] continuation in
            let number = file.addListener { continuation.yield() }
            let end = Task {
                try? await Task.sleep(for: time)
                continuation.finish()
            }
            continuation.onTermination = { _ in
                file.removeListener(number)
                end.cancel()
            }
        }
    }
}

extension OpenFile {
    /// Adds a closure that is called after each write of this process, and returns its number.
    fileprivate func addListener(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = listener
            return state.lastListener
        }
    }

    /// Removes the closure with a number, which is released after the lock.
    fileprivate func removeListener(_ number: Int) {
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }

    /// Calls all closures.
    func callListeners() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
    }
}
