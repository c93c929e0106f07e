import Hummingbird
import NIOCore
import PhotoStreamService

/// Bytes of a picture's file, which are read while they are sent.
struct FilePart: Sendable {
    let file: PictureFile
    /// Which bytes.
    let range: Range<Int64>

    /// How many bytes are in memory at once for a client.
    private static let blockByteCount: Int64 = 128 << 10

    /// The bytes, sent block by block: the next one is read when the client has taken the one before.
    ///
    /// A client gets less than it was promised, and no mixture, where the file changes meanwhile.
    ///
    /// - Parameters:
    ///   - pool: Whose threads wait for the file.
    ///   - channel: The client's connection.
    /// - Returns: The body.
    func body(on pool: WorkerPool, _ channel: any Channel) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var start = range.lowerBound
            while start < range.upperBound {
                let block = start..<min(start + Self.blockByteCount, range.upperBound)
                let bytes = try await pool.goOn { ByteBuffer(bytes: try file.bytes(block)) }
                try await writer.write(bytes)
                // The writer lets blocks through until the connection's own thread has seen one that it cannot send: without
                // waiting for that thread each of many clients had megabytes in memory.
                try await channel.eventLoop.submit {}.get()
                start = block.upperBound
            }
            try await writer.finish(nil)
        }
    }
}
