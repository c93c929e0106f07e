import Hummingbird
import NIOCore

/// Bodies that are sent block by block, each when the client has taken the one before.
enum SentBlocks {
    /// How many bytes are handed to a connection at once.
    static let byteCount = 128 << 10

    /// A body.
    ///
    /// - Parameters:
    ///   - length: How many bytes it has.
    ///   - channel: The client's connection.
    ///   - read: Reads some of the bytes, and no more than a block of them.
    /// - Returns: The body, which ends before its promised length where `read` throws.
    static func body(
        _ length: Int, on channel: any Channel, _ read: @escaping @Sendable (Range<Int>) async throws -> ByteBuffer
    ) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            var start = 0
            while start < length {
                let block = start..<min(start + byteCount, length)
                try await writer.write(try await read(block))
                // The writer lets blocks through until the connection's own thread has seen one that it cannot send: without
                // waiting for that thread each of many clients had megabytes in memory.
                try await channel.eventLoop.submit {}.get()
                start = block.upperBound
            }
            try await writer.finish(nil)
        }
    }
}
