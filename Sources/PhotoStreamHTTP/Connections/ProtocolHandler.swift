import HTTPTypes
import NIOCore
import NIOHTTP1

/// The limits of a head.
struct HeadLimits {
    private let addressByteCount: Int
    private let fieldByteCount: Int

    /// Creates the limits of a server.
    init(_ settings: ServerSettings) {
        (addressByteCount, fieldByteCount) = (settings.addressLimit, settings.fieldLimit)
    }

    /// Returns the reason to refuse a head by its address and the bytes of all of its fields.
    func problem(address: String, fieldByteCount count: Int) -> Problem? {
        if address.utf8.count > addressByteCount {
            return Problem(.addressTooLong, detail: "the address has more than \(addressByteCount) bytes")
        }
        guard count > fieldByteCount else { return nil }
        return Problem(.fieldsTooLarge, detail: "the fields have more than \(fieldByteCount) bytes")
    }
}

/// Implements the parts of RFC 9112 that NIO leaves to programs: HTTP/1.0, targets in absolute form, `Expect: 100-continue`,
/// and answers to bytes that are not a request.
final class ProtocolHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose answer has not been written completely.
    private struct Exchange {
        /// Whether the client waits for `100 Continue` before it sends its body.
        var isAwaited: Bool
        /// Whether the connection ends after the answer.
        var isLast: Bool
    }

    /// Makes the answer to bytes that are not a request.
    typealias Refusal = @Sendable (Problem) -> (head: HTTPResponse, body: [UInt8])

    private let refusal: Refusal
    private let limits: HeadLimits
    /// The handler that has counted the connection.
    private let counting: ConnectionCountHandler
    /// The handler with the timeouts of heads and bodies.
    private let deadlines: DeadlineHandler
    /// The time for which the rest of an unwanted body is read and ignored after the last answer.
    private static let linger = TimeAmount.seconds(10)
    /// The unanswered requests, in the order in which they arrived.
    private var exchanges: [Exchange] = []
    /// Whether a request has begun and not ended.
    private var isReading = false
    /// Whether further input is ignored.
    private var isInputClosed = false
    /// Whether the client has closed its side.
    private var isAtEnd = false
    /// Whether the last answer was written.
    private var isEnding = false
    /// The problem of a rejected request, until the requests before it are answered.
    private var rejection: Problem?

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - counting: The handler that counts the connection.
    ///   - deadlines: The handler with the timeouts of heads and bodies.
    ///   - refusal: Makes the answer to bytes that are not a request.
    init(
        _ limits: HeadLimits, counting: ConnectionCountHandler, deadlines: DeadlineHandler, refusal: @escaping Refusal
    ) {
        (self.limits, self.counting, self.deadlines, self.refusal) = (limits, counting, deadlines, refusal)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // A connection with TLS is active before this handler is added.
        if let problem = counting.problem { reject(problem, in: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if let problem = counting.problem { reject(problem, in: context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isInputClosed { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            deadlines.endHead()
            if let problem = problem(of: head) { return reject(problem, in: context) }
            deadlines.beginBody()
            isReading = true
            head.normalizeHost()
            let (isLast, isAwaited) = (head.endsConnection, head.expectsContinue)
            // Normalise the fields so that later handlers recognise them.
            if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            if !isAwaited { head.headers.remove(name: "Expect") }
            exchanges.append(Exchange(isAwaited: isAwaited, isLast: isLast))
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let bytes):
            deadlines.receiveBody(bytes.readableBytes)
            context.fireChannelRead(data)
        case .end:
            deadlines.endBody()
            isReading = false
            if let last = exchanges.indices.last {
                exchanges[last].isAwaited = false
                isInputClosed = exchanges[last].isLast
            }
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The handlers after this one no longer ask for input.
        if isEnding, !isAtEnd { context.read() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { isAtEnd = true }
        if event is DeadlineHandler.HeadTooSlow {
            let problem = Problem(.headTooSlow, detail: "the head of the request took too long")
            return isInputClosed ? () : reject(problem, in: context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isAtEnd = true
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        if isInputClosed { return }
        guard !isReading else {
            // The code that reads the body reports the error, if it is still reading.
            guard let last = exchanges.indices.last else { return end(context) }
            exchanges[last].isLast = true
            return context.fireErrorCaught(error)
        }
        reject(Problem(error), in: context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status == .continue:
            if !exchanges.isEmpty { exchanges[0].isAwaited = false }
            context.write(data, promise: promise)
        case .head(var head):
            guard !exchanges.isEmpty else {
                // Hummingbird reports a broken body a second time.
                promise?.fail(ChannelError.outputClosed)
                return
            }
            // The client was not told to continue, so it is unknown whether it sends the body.
            if exchanges[0].isAwaited || head.headers["Connection"].contains("close") { exchanges[0].isLast = true }
            if exchanges[0].isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body where exchanges.isEmpty, .end where exchanges.isEmpty:
            promise?.fail(ChannelError.outputClosed)
        case .body:
            context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            if exchanges.removeFirst().isLast { return end(context) }
            if exchanges.isEmpty { refuse(context) }
        }
    }

    /// Returns the reason to refuse a request by its head.
    private func problem(of head: HTTPRequestHead) -> Problem? {
        if head.hasUnknownTransferCoding {
            return Problem(.unknownTransferCoding, detail: "the only supported transfer coding is chunked")
        }
        let byteCount = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return limits.problem(address: head.uri, fieldByteCount: byteCount)
    }

    /// Ignores further input, and answers with a problem after the answers to earlier requests.
    private func reject(_ problem: Problem, in context: ChannelHandlerContext) {
        rejection = problem
        isInputClosed = true
        if exchanges.isEmpty { refuse(context) }
    }

    /// Writes the answer of a rejected request, if there is one, and ends the connection.
    private func refuse(_ context: ChannelHandlerContext) {
        guard let problem = rejection else { return }
        rejection = nil
        let (head, body) = refusal(problem)
        context.write(wrapOutboundOut(.head(HTTPResponseHead(head))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        end(context)
    }

    /// Half-closes the connection.
    ///
    /// After a full close with unread input, the kernel would send RST and discard the answer. Further input is therefore
    /// read and ignored for ``linger``: a client may read its answer only after it has sent its whole body.
    private func end(_ context: ChannelHandlerContext) {
        (isInputClosed, isEnding) = (true, true)
        context.flush()
        let loop = context.eventLoop.assumeIsolated()
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            loop.scheduleTask(in: Self.linger) { context.close(promise: nil) }
        }
        context.close(mode: .output, promise: sent)
        if !isAtEnd { context.read() }
    }
}

extension HTTPRequestHead {
    /// Whether the client waits for `100 Continue`, which HTTP/1.0 does not have.
    fileprivate var expectsContinue: Bool {
        guard version != .http1_0, headers["Expect"].contains(where: { $0.lowercased() == "100-continue" }) else {
            return false
        }
        return headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
    }

    /// Whether this is the last request of the connection.
    ///
    /// In HTTP/1.0, the end of the connection ends the answer. After a request to switch protocols, the parser cannot parse
    /// further input.
    fileprivate var endsConnection: Bool {
        version == .http1_0 || method == .CONNECT || headers.contains(name: "Upgrade")
            || headers[canonicalForm: "Connection"].contains { $0.lowercased() == "close" }
    }

    /// Whether the body has a transfer coding other than `chunked`.
    fileprivate var hasUnknownTransferCoding: Bool {
        let codings = headers[canonicalForm: "Transfer-Encoding"]
        return !codings.isEmpty && codings.map { $0.lowercased() } != ["chunked"]
    }

    /// Sets `Host` from a target in absolute form, which takes precedence over the field, and joins several `Host` fields
    /// into one, which is then refused.
    fileprivate mutating func normalizeHost() {
        let hosts = headers["Host"]
        if hosts.count > 1 { headers.replaceOrAdd(name: "Host", value: hosts.joined(separator: ", ")) }
        guard !uri.hasPrefix("/"), let colon = uri.firstIndex(of: ":"), uri[colon...].hasPrefix("://") else { return }
        let rest = uri[colon...].dropFirst(3)
        headers.replaceOrAdd(name: "Host", value: String(rest.prefix { !"/?#".contains($0) }))
    }
}

extension HTTPResponseHead {
    fileprivate init(_ response: HTTPResponse) {
        var headers = HTTPHeaders()
        for field in response.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        self.init(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status.code), headers: headers)
    }
}
