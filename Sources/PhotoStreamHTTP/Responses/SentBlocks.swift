import Hummingbird
import NIOCore
import PhotoStreamService

/// Bodies that are sent block by block, each after the client has read the previous one.
enum SentBlocks {
    /// The channel of a client, and the HTTP role of the channel.
    struct Client {
        let channel: any Channel
        let kind: ClientWatches.Kind

        /// The connection of a request that has a channel of its own, because its connection may have many.
        var sharedConnection: (any Channel)? { kind == .request ? channel.parent : nil }

        /// The number of bytes that are passed to the channel at once.
        ///
        /// A block waits in memory while its client does not read, and a connection of HTTP/2 has many requests.
        var blockByteCount: Int { kind == .request ? 16 << 10 : 128 << 10 }
    }

    /// Returns a body.
    ///
    /// - Parameters:
    ///   - length: The number of its bytes.
    ///   - client: The client.
    ///   - read: Reads some of the bytes, at most a block.
    /// - Returns: The body, which ends before its promised length if `read` throws.
    static func body(
        _ length: Int, to client: Client, read: @escaping @Sendable (Range<Int>) async throws -> ByteBuffer
    ) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            var start = 0
            while start < length {
                let block = start..<min(start + client.blockByteCount, length)
                try await writer.write(try await read(block))
                // The writer accepts blocks until the connection's event loop has seen one that it cannot send. Without
                // waiting for the loop, each of many clients had megabytes in memory.
                try await client.channel.eventLoop.submit {}.get()
                start = block.upperBound
            }
            try await writer.finish(nil)
        }
    }
}

/// A part of a picture's file, which is read while it is sent.
struct FilePart: Sendable {
    let file: PictureFile
    let range: Range<Int64>

    /// Returns a body that sends the bytes block by block: each is read after the client has read the previous one.
    ///
    /// If the file changes in the meantime, a client receives fewer bytes than promised, but never a mixture.
    ///
    /// - Parameters:
    ///   - pool: The threads that wait for the file.
    ///   - client: The client.
    ///   - place: The share of the open files, until the body has been sent.
    /// - Returns: The body.
    func body(on pool: WorkerPool, to client: SentBlocks.Client, place: SharedBudget.Share) -> ResponseBody {
        SentBlocks.body(range.count, to: client) { block in
            let start = range.lowerBound + Int64(block.lowerBound)
            return try await pool.runAdmitted {
                try withExtendedLifetime(place) {
                    ByteBuffer(bytes: try file.bytes(start..<start + Int64(block.count)))
                }
            }
        }
    }
}
