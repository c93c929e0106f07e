import PhotoStreamStorage

/// Notices writes to a file: those of its own service at once, those of other processes when ``version()`` is called.
package final class CommitNotice: Sendable {
    private let watch: CommitWatch

    fileprivate init(_ watch: CommitWatch) {
        self.watch = watch
    }

    /// Returns a number that changes with each commit to the file.
    ///
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    package func version() throws -> Int64 {
        try translatingStorageErrors { try watch.version() }
    }
}

extension PhotoStreamService {
    /// Notices commits until the result is released; release it before ``close()``.
    ///
    /// - Parameter onCommit: Called after each write of this service, on the thread that wrote.
    /// - Returns: The notice, which costs a connection to the file.
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    package func noticeCommits(_ onCommit: @escaping @Sendable () -> Void) throws -> CommitNotice {
        CommitNotice(try translatingStorageErrors { try database.watchCommits(onCommit) })
    }
}
