import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers look-ups in a connection's pipeline, on its event loop; all other requests go on to Hummingbird.
///
/// To hand such a request to a task and its answer back takes longer than to answer it.
final class LookUpHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What the field `Server` says.
    static let serverName = "PhotoStream"
    static let server = HTTPField(name: .server, value: serverName)

    private let responder: APIResponder
    private let date: ResponseDate
    /// A request that was taken in up to its end, where it would have a body.
    private var held: HTTPRequest?
    /// Requests that went on and are not answered: whatever follows them goes the same way, for answers come in order.
    private var passedCount = 0
    /// Whether something that came with the last bytes was answered here.
    ///
    /// What a client sends without waiting for answers goes on, where it has to wait for its turn and for the client to
    /// take what was sent.
    private var hasAnswered = false

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - responder: What answers.
    ///   - date: The clock of the field `Date`.
    init(_ responder: APIResponder, _ date: ResponseDate) {
        (self.responder, self.date) = (responder, date)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            if passedCount == 0, !hasAnswered, context.channel.isWritable, request.reads {
                held = request
            } else {
                pass(request, context)
            }
        case .body:
            passHeld(context)
            context.fireChannelRead(data)
        case .end:
            if let request = held, let (head, body) = responder.answerAtOnce(request) {
                held = nil
                hasAnswered = true
                send(head, body, context)
            } else {
                passHeld(context)
                context.fireChannelRead(data)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Nobody behind knows of a request that was not passed on.
        guard held != nil, let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        held = nil
        let (head, body) = responder.refusal(of: Problem(error), date)
        write(head, body, context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        hasAnswered = false
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { passedCount = max(0, passedCount - 1) }
        context.write(data, promise: promise)
    }

    private func pass(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        passedCount += 1
        context.fireChannelRead(wrapInboundOut(.head(request)))
    }

    private func passHeld(_ context: ChannelHandlerContext) {
        guard let request = held else { return }
        held = nil
        pass(request, context)
    }

    private func send(_ head: HTTPResponse, _ body: [UInt8], _ context: ChannelHandlerContext) {
        var head = head
        head.headerFields.append(date.now)
        head.headerFields.append(Self.server)
        write(head, body, context)
    }

    private func write(_ head: HTTPResponse, _ body: [UInt8], _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !body.isEmpty {
            var buffer = context.channel.allocator.buffer(capacity: body.count)
            buffer.writeBytes(body)
            context.write(wrapOutboundOut(.body(buffer)), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

extension HTTPRequest {
    /// Whether its method reads.
    fileprivate var reads: Bool { method == .get || method == .head }
}
