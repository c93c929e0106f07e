import HTTPTypes
import PhotoStreamModel
import PhotoStreamService

/// The route that sends the events of a stream to clients.
enum EventRoutes {
    static let show = Route(
        method: .get, path: RoutePath("/v1/streams/{stream}/events"), operation: "getEvents", access: .read,
        summary: """
            The events of a stream, as server-sent events, until the client disconnects: state, change, resync, \
            pictures and bye. The id of an event is the stream's state.
            """,
        parameters: [
            RouteParameter(
                "since", as: .text,
                summary: """
                    The state of an earlier answer: begin with the changes since then. The field Last-Event-ID takes \
                    precedence. (default: begin with the current state)
                    """)
        ],
        answers: [.init(200, types: [MediaTypes.eventStream], schema: "The events.")],
        problems: [.unknownStream, .invalidName, .invalidParameter]
    ) { call in
        let stream = try call.stream
        let asked = try call.query.value("since", expecting: Revision.expectation, read: Revision.init(state:))
        let last = try call.lastEvent()
        // An unknown stream is a problem, not a stream without events.
        _ = try call.service.read { session in try session.state(of: stream) }
        var answer = APIResponse(contentType: MediaTypes.eventStream)
        answer.events = EventRequest(
            stream: stream, since: last ?? asked, isReconnection: last != nil, grant: call.grant)
        answer.fields[.cacheControl] = "no-cache, no-transform"
        // nginx would buffer the events.
        answer.fields[.accelBuffering] = "no"
        return answer
    }
}

extension APICall {
    /// The revision of the last event that the client has received; `nil` if it has received none.
    fileprivate func lastEvent() throws(Problem) -> Revision? {
        guard let text = headers[.lastEventID], !text.isEmpty else { return nil }
        guard let revision = Revision(state: text) else {
            throw Problem(
                .invalidParameter, detail: "Last-Event-ID is \"\(text)\", but must be the id of an event",
                parameter: "Last-Event-ID")
        }
        return revision
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = known("Last-Event-ID")
    static let accelBuffering = known("X-Accel-Buffering")
}
