import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The part of HTTP/2's requests that the library leaves to programs: their number, the limits of their heads, and fields that
/// only HTTP/1.1 has.
final class HTTP2RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The limits of requests.
    struct Limits {
        /// The bytes of the address.
        let addressByteCount: Int
        /// The bytes of all fields together.
        let fieldByteCount: Int
        /// The requests of one connection.
        let requestsPerConnection: Int
        let counts: HTTP2RequestCounts
    }

    /// The time that a client has to read the refusal of a request whose body it is sending.
    private static let farewell = TimeAmount.seconds(2)

    private let limits: Limits
    private let connection: HTTP2ConnectionHandler
    private let refusal: ProtocolHandler.Refusal
    /// The problem if there are too many requests.
    private var excess: Problem?
    /// Whether the rest of the request is ignored.
    private var isRefused = false
    private var isAnswered = false

    /// Creates the handler of one request.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - connection: The handler of its connection.
    ///   - refusal: Makes the answer to a request that is refused.
    init(_ limits: Limits, of connection: HTTP2ConnectionHandler, refusal: @escaping ProtocolHandler.Refusal) {
        (self.limits, self.connection, self.refusal) = (limits, connection, refusal)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let count = connection.beginRequest()
        excess = limits.counts.add(ServerAddress(context.channel.remoteAddress))
        // The library enforces this limit only after the client has acknowledged it.
        guard count > limits.requestsPerConnection else { return }
        let detail = "\(limits.requestsPerConnection) requests of this connection are open; wait for one"
        excess = Problem(.overloaded, detail: detail)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        limits.counts.remove(ServerAddress(context.channel.remoteAddress))
        connection.endRequest()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if let problem = problem(of: head) ?? excess { return refuse(problem, in: context) }
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
        if path.utf8.count > limits.addressByteCount {
            return Problem(.addressTooLong, detail: "the address has more than \(limits.addressByteCount) bytes")
        }
        let byteCount = head.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        if byteCount > limits.fieldByteCount {
            return Problem(.fieldsTooLarge, detail: "the fields have more than \(limits.fieldByteCount) bytes")
        }
        return nil
    }

    private func refuse(_ problem: Problem, in context: ChannelHandlerContext) {
        isRefused = true
        let (head, body) = refusal(problem)
        write(context: context, data: NIOAny(HTTPResponsePart.head(head)), promise: nil)
        write(context: context, data: NIOAny(HTTPResponsePart.body(ByteBuffer(bytes: body))), promise: nil)
        write(context: context, data: NIOAny(HTTPResponsePart.end(nil)), promise: nil)
        context.flush()
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.farewell) { context.close(promise: nil) }
    }
}

extension HTTPField.Name {
    fileprivate static let host = known("Host")
}
