import HTTPTypes
import NIOCore
import NIOHTTP1

/// What RFC 9112 asks of a server beyond taking messages apart: older clients, other forms of addresses, clients that wait
/// before they send a body, and an answer for what is no request.
final class ProtocolHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: APIResponder
    private let date: ResponseDate
    private var unansweredCount = 0
    /// Whether the client waits to be told that its body is wanted.
    private var isAwaited = false
    /// Whether the connection ends behind the answer that is being written.
    private var isLast = false

    /// Creates the handler of one connection.
    ///
    /// - Parameters:
    ///   - responder: What refuses.
    ///   - date: The clock of the field `Date`.
    init(_ responder: APIResponder, _ date: ResponseDate) {
        (self.responder, self.date) = (responder, date)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        unansweredCount += 1
        isAwaited = head.announcesBody && head.headers["Expect"].contains { $0.lowercased() == "100-continue" }
        head.nameOneHost()
        // Who speaks HTTP/1.0 knows the end of an answer by the end of the connection.
        if head.version == .http1_0 { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Amid a body, or behind a request that is being answered, it is told by whoever reads on.
        guard let error = error as? HTTPParserError, unansweredCount == 0 else {
            return context.fireErrorCaught(error)
        }
        let (head, body) = responder.refusal(of: Problem(error), date)
        context.write(wrapOutboundOut(.head(HTTPResponseHead(head))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Not all of it: who has not read everything when it closes takes back what it has sent.
        context.close(mode: .output, promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status == .continue:
            isAwaited = false
            context.write(data, promise: promise)
        case .head(var head) where isAwaited:
            // The body was not asked for, and nobody knows whether it comes.
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            isLast = true
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body:
            context.write(data, promise: promise)
        case .end:
            unansweredCount = max(0, unansweredCount - 1)
            context.write(data, promise: promise)
            guard isLast else { return }
            context.flush()
            context.close(mode: .output, promise: nil)
        }
    }
}

extension HTTPRequestHead {
    fileprivate var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
    }

    /// Takes the host out of a target that is a whole address, which outranks the field, and joins several fields to one, which
    /// is no host then.
    fileprivate mutating func nameOneHost() {
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

extension Problem {
    /// What is wrong with bytes that are no request.
    fileprivate init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow:
            self.init(.fieldsTooLarge, "the first line and the fields have more than 80 KiB, or one of them has")
        case .invalidMethod: self.init(.unknownMethod, "the method is none of HTTP's")
        case .invalidVersion: self.init(.unknownVersion, "the version is none of HTTP/1's")
        default: self.init(.malformedRequest, "what was sent is no request of HTTP/1.1 (\(error))")
        }
    }
}
