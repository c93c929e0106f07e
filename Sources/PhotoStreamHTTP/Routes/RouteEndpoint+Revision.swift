import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

extension RouteEndpoint {
    /// Waits until the file has a state that the client received from another server, from its own write or an event, but
    /// for no more than half a second.
    ///
    /// - Parameter text: The field `If-Revision-At-Least`; `nil` for no wait.
    /// - Throws: ``Problem`` if it is not a state, if the file does not have it in time, or if the file has another
    ///   history.
    func awaitRevision(_ text: String?) async throws {
        guard let text else { return }
        guard let state = Revision(state: text) else {
            throw Problem(
                .invalidParameter, detail: "If-Revision-At-Least is \"\(text)\", but must be \(Revision.expectation)",
                parameter: "If-Revision-At-Least")
        }
        var (commits, isOver) = (service.commits(within: .milliseconds(500)).makeAsyncIterator(), false)
        while true {
            switch try await pools.short.runAdmitted({ try service.relation(of: state) }) {
            case .known: return
            case .lost:
                throw Problem(
                    .otherRevision,
                    detail: "\(state.state) is not a state of the last changes of this history; read the stream again",
                    parameter: "If-Revision-At-Least")
            case .awaited where isOver:
                let last = try await pools.short.runAdmitted { try service.lastState() }
                throw Problem(
                    .revisionMissing,
                    detail: "the server does not have the state \(state.state) yet; it has \(last.state)")
            // Once more at the end, since another process may have brought the file up to date.
            case .awaited: isOver = await commits.next() == nil
            }
        }
    }
}

extension HTTPField.Name {
    /// The state of the file after a write.
    static let photoStreamRevision = known("PhotoStream-Revision")
    /// A state that the answer must include.
    static let ifRevisionAtLeast = known("If-Revision-At-Least")
}
