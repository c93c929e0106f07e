import Hummingbird
import NIOCore
import PhotoStreamService

/// Bytes of a picture's file, which are read while they are sent.
struct FilePart: Sendable {
    let file: PictureFile
    /// Which bytes.
    let range: Range<Int64>

    /// The bytes, sent block by block: the next one is read when the client has taken the one before.
    ///
    /// A client gets less than it was promised, and no mixture, where the file changes meanwhile.
    ///
    /// - Parameters:
    ///   - pool: Whose threads wait for the file.
    ///   - channel: The client's connection.
    /// - Returns: The body.
    func body(on pool: WorkerPool, _ channel: any Channel) -> ResponseBody {
        SentBlocks.body(range.count, on: channel) { block in
            let start = range.lowerBound + Int64(block.lowerBound)
            return try await pool.goOn { ByteBuffer(bytes: try file.bytes(start..<start + Int64(block.count))) }
        }
    }
}
