import GRDB
import Synchronization

/// A connection that serves nothing but SQLite's `data_version`.
final class CommitWatch: Sendable {
    private let path: String
    private let configuration: Configuration
    private let queue = Mutex<DatabaseQueue?>(nil)

    /// Opens nothing yet.
    init(path: String, configuration: Configuration) {
        self.path = path
        self.configuration = configuration
    }

    /// The connection's number, which changes with every commit of another connection.
    func dataVersion() throws -> Int64 {
        let connection = try queue.withLock { queue in
            if let queue { return queue }
            let opened = try DatabaseQueue(path: path, configuration: configuration)
            queue = opened
            return opened
        }
        return try connection.read { database in
            try RawStatement(database, "PRAGMA data_version").first { $0.integer(0) } ?? 0
        }
    }

    /// Closes the connection if there is one.
    func close() throws {
        try queue.withLock { queue in
            try queue?.close()
            queue = nil
        }
    }
}
