import HTTPTypes
import PhotoStreamService

/// The wait until the file has a revision that the client got from another server: its own write, or an event.
struct RevisionWait {
    let service: PhotoStreamService
    let pool: WorkerPool

    private static let limit = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(10)

    /// Waits up to half a second.
    ///
    /// - Parameter text: The field `If-Revision-At-Least`; `nil` for no wait.
    /// - Throws: ``Problem`` if it is not a revision, or if the file does not have it in time.
    func wait(for text: String?) async throws {
        guard let text else { return }
        guard let revision = Int64(text), revision >= 0 else {
            throw Problem(
                .invalidParameter, detail: "If-Revision-At-Least is \"\(text)\", but must be a revision",
                parameter: "If-Revision-At-Least")
        }
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            let last = try await pool.run(watch: nil) { try service.lastRevision() }
            if last >= revision { return }
            guard ContinuousClock.now < end else {
                throw Problem(
                    .revisionMissing, detail: "the server does not have revision \(revision) yet; it has \(last)")
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}

extension HTTPField.Name {
    /// The revision that the answer to a write has.
    static let photoStreamRevision = known("PhotoStream-Revision")
    /// The least revision of which the client wants to see the answer.
    static let ifRevisionAtLeast = known("If-Revision-At-Least")
}
