import NIOCore
import NIOHTTP2

/// Ends connections of HTTP/2: those without a request for too long, those that the client has closed, and those on which an
/// error has occurred.
///
/// The library's handler says goodbye to an idle client, but waits for its answer for ever.
final class HTTP2ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The time that a client has to answer a goodbye.
    private static let farewell = TimeAmount.seconds(5)

    private let limit: TimeAmount
    private var requestCount = 0
    private var idleEnd: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// Creates the handler of one connection.
    ///
    /// - Parameter patience: The time without a request after which the library's handler says goodbye.
    init(patience: TimeAmount) {
        limit = patience + Self.farewell
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        awaitRequest()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        idleEnd?.cancel()
    }

    /// Records that a request has begun.
    ///
    /// - Returns: The number of open requests.
    func beginRequest() -> Int {
        requestCount += 1
        idleEnd?.cancel()
        return requestCount
    }

    /// Records that a request has been answered or given up.
    func endRequest() {
        requestCount -= 1
        if requestCount == 0 { awaitRequest() }
    }

    /// Says goodbye to a client that asks too much, and closes the connection.
    func refuse() {
        guard let context else { return }
        let goodbye = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .rootStream, errorCode: .enhanceYourCalm, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: goodbye)), promise: nil)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // No client of HTTP/2 has a reason to close its side alone.
        if case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
        if event is FramePaceHandler.TooSlow { refuse() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The library has told the client the reason. It does not tell errors of one request from others.
        context.close(promise: nil)
    }

    private func awaitRequest() {
        idleEnd?.cancel()
        guard let context else { return }
        idleEnd = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    }
}
