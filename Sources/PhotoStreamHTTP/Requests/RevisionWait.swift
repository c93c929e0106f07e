import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The wait until the file has a state that the client received from another server: its own write, or an event.
struct RevisionWait {
    let service: PhotoStreamService
    let pool: WorkerPool

    private static let limit = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(10)

    /// Waits for up to half a second.
    ///
    /// - Parameter text: The field `If-Revision-At-Least`; `nil` for no wait.
    /// - Throws: ``Problem`` if it is not a state, if the file does not have it in time, or if the file has another
    ///   history.
    func wait(for text: String?) async throws {
        guard let text else { return }
        guard let state = Revision(state: text) else {
            throw Problem(
                .invalidParameter, detail: "If-Revision-At-Least is \"\(text)\", but must be \(Revision.expectation)",
                parameter: "If-Revision-At-Least")
        }
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            switch try await pool.run(watch: nil, { try service.relation(of: state) }) {
            case .known: return
            case .lost:
                throw Problem(
                    .otherRevision,
                    detail: "\(state.state) is not a state of the last changes of this history; read the stream again",
                    parameter: "If-Revision-At-Least")
            case .awaited:
                guard ContinuousClock.now < end else {
                    let last = try service.lastState()
                    throw Problem(
                        .revisionMissing,
                        detail: "the server does not have the state \(state.state) yet; it has \(last.state)")
                }
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}

extension HTTPField.Name {
    /// The state of the file after a write.
    static let photoStreamRevision = known("PhotoStream-Revision")
    /// A state that the answer must include.
    static let ifRevisionAtLeast = known("If-Revision-At-Least")
}
