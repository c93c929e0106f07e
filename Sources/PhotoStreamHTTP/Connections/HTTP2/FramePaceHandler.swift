import NIOCore

/// Notices a client of HTTP/2 that sends a frame, or the frames of a head, too slowly: by a byte now and then, it would keep
/// its connection for ever.
///
/// It comes before the library's parser, and looks at the beginnings of frames alone. The contents of bodies are left to
/// ``BodyPaceHandler``.
///
/// Source: RFC 9113, sections 3.4, 4.1, 6.2 and 6.10.
final class FramePaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The event for handlers after this one.
    struct TooSlow {}

    private static let prefaceByteCount = 24
    private static let beginByteCount = 9

    private let limit: TimeAmount
    /// The bytes of the connection preface that have not arrived.
    private var prefaceRest = FramePaceHandler.prefaceByteCount
    /// The beginning of the current frame, as far as it has arrived.
    private var begin: [UInt8] = []
    /// The bytes of the current frame that have not arrived.
    private var rest = 0
    private var isData = false
    /// Whether more frames of a head have to follow.
    private var isInHead = false
    private var deadline: Scheduled<Void>?

    /// Creates the handler of one connection, which waits for the first frame.
    ///
    /// - Parameter limit: The time from the first byte of a frame, or of a head, to its end.
    init(limit: TimeAmount) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        wait(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        while bytes.readableBytes > 0 { take(&bytes) }
        let isPartial = prefaceRest > 0 || !begin.isEmpty || rest > 0 && !isData || isInHead
        if isPartial, deadline == nil { wait(context) }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    private func wait(_ context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            context.fireUserInboundEventTriggered(TooSlow())
        }
    }

    /// Takes the bytes of one part of a frame.
    private func take(_ bytes: inout ByteBuffer) {
        if prefaceRest > 0 {
            prefaceRest -= skip(&bytes, atMost: prefaceRest)
        } else if rest > 0 {
            rest -= skip(&bytes, atMost: rest)
            if rest == 0 { endFrame() }
        } else if let byte = bytes.readInteger(as: UInt8.self) {
            begin.append(byte)
            if begin.count == Self.beginByteCount { beginFrame() }
        }
    }

    private func skip(_ bytes: inout ByteBuffer, atMost limit: Int) -> Int {
        let count = min(limit, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: count)
        return count
    }

    private func beginFrame() {
        rest = Int(begin[0]) << 16 | Int(begin[1]) << 8 | Int(begin[2])
        let (type, flags) = (begin[3], begin[4])
        begin.removeAll(keepingCapacity: true)
        isData = type == 0
        // HEADERS and CONTINUATION; END_HEADERS.
        if type == 1 || type == 9 { isInHead = flags & 4 == 0 }
        if rest == 0 || isData { endFrame() }
    }

    private func endFrame() {
        guard !isInHead else { return }
        deadline?.cancel()
        deadline = nil
    }
}
