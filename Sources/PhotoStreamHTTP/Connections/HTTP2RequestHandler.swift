import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Implements the parts of HTTP/2 requests that NIO leaves to programs: their number, the limits of their heads, and removal of
/// fields that only HTTP/1.1 has.
final class HTTP2RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The limits of requests.
    struct Limits {
        let head: HeadLimits
        let requestsPerConnection: Int
        let requests: SharedBudget
        let access: AccessSettings

        /// Creates the limits of a server.
        init(_ settings: ServerSettings) {
            (head, requestsPerConnection) = (HeadLimits(settings), settings.requestsPerConnection)
            (requests, access) = (SharedBudget(limit: settings.http2Requests, of: .http2Requests), settings.access)
        }
    }

    /// The time that a client has to read a refusal while it sends its body.
    private static let linger = TimeAmount.seconds(2)

    private let limits: Limits
    private let deadlines: DeadlineHandler
    private let connection: HTTP2ConnectionHandler
    private let refusal: ProtocolHandler.Refusal
    private var place: SharedBudget.Share?
    /// The problem if the server or the address has too many requests.
    private var excess: Problem?
    /// Whether the rest of the request is ignored.
    private var isRefused = false
    private var isAnswered = false
    /// Closes the channel of a refused request after ``linger``.
    private var lingerEnd: Scheduled<Void>?

    /// Creates the handler of one request.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - deadlines: The handler with the timeouts of the request.
    ///   - connection: The handler of its connection.
    ///   - refusal: Makes the answer to a request that is refused.
    init(
        _ limits: Limits, deadlines: DeadlineHandler, of connection: HTTP2ConnectionHandler,
        refusal: @escaping ProtocolHandler.Refusal
    ) {
        (self.limits, self.deadlines, self.connection, self.refusal) = (limits, deadlines, connection, refusal)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        do throws(Problem) {
            let address = limits.access.counted(ServerAddress(context.channel.remoteAddress))
            place = try limits.requests.place(for: BoundedClient(address: address))
        } catch {
            excess = error
        }
        connection.channelCount += 1
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        place = nil
        connection.channelCount -= 1
        lingerEnd?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            deadlines.endHead()
            if let problem = problem(of: head) { return refuse(problem, in: context) }
            deadlines.beginBody()
        case .body(let bytes): deadlines.receiveBody(bytes.readableBytes)
        case .end: deadlines.endBody()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isAnswered {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            head.headerFields[.connection] = nil
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isAnswered = true
            context.write(data, promise: promise)
        }
    }

    /// Returns the reason to refuse a request by its head.
    private func problem(of head: HTTPRequest) -> Problem? {
        guard let path = head.path, path.hasPrefix("/") else {
            return Problem(.malformedRequest, detail: "the request has no path")
        }
        if let host = head.headerFields[.host], host != head.authority {
            return Problem(.badHost, detail: "the Host field differs from the request's authority")
        }
        let byteCount = head.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        if let problem = limits.head.problem(address: path, fieldByteCount: byteCount) { return problem }
        // NIO enforces this limit only after the client has acknowledged it.
        guard connection.channelCount > limits.requestsPerConnection else { return excess }
        let detail = "\(limits.requestsPerConnection) requests of this connection are open; wait for one"
        return Problem(.overloaded, detail: detail)
    }

    private func refuse(_ problem: Problem, in context: ChannelHandlerContext) {
        isRefused = true
        let (head, body) = refusal(problem)
        write(context: context, data: NIOAny(HTTPResponsePart.head(head)), promise: nil)
        write(context: context, data: NIOAny(HTTPResponsePart.body(ByteBuffer(bytes: body))), promise: nil)
        write(context: context, data: NIOAny(HTTPResponsePart.end(nil)), promise: nil)
        context.flush()
        lingerEnd = context.eventLoop.assumeIsolated().scheduleTask(in: Self.linger) { context.close(promise: nil) }
    }
}

extension HTTPField.Name {
    fileprivate static let host = known("Host")
}
