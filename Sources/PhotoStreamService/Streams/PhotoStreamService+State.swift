public import PhotoStreamModel
import PhotoStreamStorage

/// Which state of which stream an answer speaks of.
public struct StreamState: Hashable, Sendable {
    /// The stream's row, which no other stream ever gets.
    public let streamID: Int64
    /// Its revision.
    public let revision: Revision

    /// Creates a state.
    public init(streamID: Int64, revision: Revision) {
        self.streamID = streamID
        self.revision = revision
    }
}

extension PhotoStreamService {
    /// The state of a stream.
    ///
    /// - Throws: ``StreamServiceError/unknownStream(_:)``.
    /// - Complexity: O(log streams); no layout is touched.
    public func state(of stream: StreamName) throws -> StreamState {
        try read { reader in
            let row = try self.stream(stream, reader)
            return StreamState(streamID: row.id, revision: try mark(of: row, reader).revision)
        }
    }

    /// Whether the file can be read, and is still the one at its path.
    ///
    /// - Throws: ``StreamServiceError/storage(code:message:)`` when it cannot or is not.
    public func checkIsReadable() throws {
        try translatingStorageErrors { try database.checkIsInPlace() }
        _ = try read { try $0.stream(id: 0) }
    }
}

extension PhotoStreamService {
    /// One sentence on what keeps the write-ahead log from being emptied; `nil` where it is short.
    public var logWarning: String? { database.logObstacle?.description }

    /// Empties the write-ahead log where it is too long.
    ///
    /// - Returns: One sentence on what prevents it; `nil` where the log is short.
    /// - Throws: ``StreamServiceError/storage(code:message:)``.
    public func emptyLongLog() throws -> String? {
        try translatingStorageErrors { try database.emptyLongLog()?.description }
    }
}

extension LayoutContext {
    /// The state that the answer speaks of.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}

extension PageContext {
    /// The state that the answer speaks of.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}
