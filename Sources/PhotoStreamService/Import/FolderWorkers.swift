package import Logging
package import PhotoStreamPictures

/// The decode workers of a program that imports folders.
package enum FolderWorkers {
    /// Returns the path of the worker program.
    ///
    /// - Throws: ``FolderImportError/noWorker``.
    package static func program() throws(FolderImportError) -> String {
        guard let path = PictureWorkers.locate() else { throw .noWorker }
        return path
    }

    /// Runs the workers while `body` uses them.
    ///
    /// - Parameters:
    ///   - program: The path of the worker program.
    ///   - logger: Receives the ends of workers.
    ///   - body: Uses the workers.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`.
    package static func run<Success: Sendable>(
        _ program: String, logger: Logger,
        whileRunning body: @escaping @Sendable (PictureWorkers) async throws -> Success
    ) async throws -> Success {
        let workers = PictureWorkers(PictureWorkers.Settings(executablePath: program), logger: logger)
        // Cancelled as soon as `body` has ended; their end is awaited.
        async let _ = workers.run()
        return try await body(workers)
    }
}
