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

extension LayoutContext {
    /// The state that the answer speaks of.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}

extension PageContext {
    /// The state that the answer speaks of.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}
