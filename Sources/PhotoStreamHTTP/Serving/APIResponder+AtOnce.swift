import HTTPTypes
import Hummingbird
import Logging
import PhotoStreamService

extension APIResponder {
    /// Answers a look-up on this thread, which others need, too.
    ///
    /// - Parameter request: A request without a body.
    /// - Returns: The answer's head and body; `nil` where something else is asked, or the answer has to wait for something: then
    ///   the request takes the way of all others.
    func answerAtOnce(_ request: HTTPRequest) -> (head: HTTPResponse, body: [UInt8])? {
        let start = ContinuousClock().now
        let head = RequestHead(request)
        // What is wrong with a request is told by whoever answers those that are no look-ups.
        guard (try? HostCheck.check(head.authority)) != nil, let match = try? table.match(head),
            match.route.work == .lookup, head[.contentEncoding] == nil,
            case .direct(let handle) = match.route.handling
        else { return nil }
        let id = RequestID()
        func identifiedLogger() -> Logger {
            var logger = logger
            logger[metadataKey: ServerContext.idKey] = "\(id)"
            return logger
        }
        var response: APIResponse
        do {
            let call = try call(head, match)
            guard let found = try PhotoStreamService.answerBriefly({ try call.answered(by: handle) }) else {
                return nil
            }
            response = found
        } catch {
            response = problem(error, match.route, identifiedLogger())
        }
        origins.tell(&response.fields, head)
        takeNote(of: response, to: head, match.route, since: start, identifiedLogger())
        let body = head.method == .head ? [] : response.body
        return (HTTPResponse(status: response.status, headerFields: response.allFields("\(id)")), body)
    }

    /// The answer to what is no request, the last one of its connection.
    func refusal(of problem: Problem, _ date: ResponseDate) -> (head: HTTPResponse, body: [UInt8]) {
        let response = APIResponse(problem)
        meter.record(nil, response.status.code, .zero)
        let id = RequestID()
        if logger.logLevel <= .info {
            let metadata: Logger.Metadata = [
                ServerContext.idKey: "\(id)", "status": "\(response.status.code)",
                "problem": "\(problem.kind.rawValue)",
            ]
            logger.info("no request", metadata: metadata)
        }
        var fields = response.allFields("\(id)")
        fields.append(HTTPField(name: .connection, value: "close"))
        fields.append(date.now)
        fields.append(LookUpHandler.server)
        return (HTTPResponse(status: response.status, headerFields: fields), response.body)
    }
}
