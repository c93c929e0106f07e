import PhotoStreamStorage

extension PhotoStreamService {
    /// Watches for commits until the result is released; release it before ``close()``.
    ///
    /// - Parameter onCommit: Called after each write of this service, on the thread that wrote.
    /// - Returns: A function whose result changes with each commit to the file, by any process. It throws
    ///   `StorageError`. The watch takes a connection to the file.
    /// - Throws: `StorageError`.
    package func watchCommits(_ onCommit: @escaping @Sendable () -> Void) throws -> @Sendable () throws -> Int64 {
        let watch = try database.watchCommits(onCommit)
        return { try watch.version() }
    }

    /// Returns an element after each write of this service, for a limited time; a slow reader misses some.
    package func commits(within time: Duration) -> AsyncStream<Void> { database.commits(within: time) }
}
