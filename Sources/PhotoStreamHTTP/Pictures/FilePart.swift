import NIOCore
import PhotoStreamService

/// Bytes of a picture's file, which are read while they are sent.
struct FilePart: Sendable {
    let file: PictureFile
    /// Which bytes.
    let range: Range<Int64>

    /// How many bytes are in memory at once for a client.
    private static let blockByteCount: Int64 = 128 << 10

    /// The bytes in blocks.
    var blocks: some Sequence<Range<Int64>> {
        stride(from: range.lowerBound, to: range.upperBound, by: Int64.Stride(Self.blockByteCount)).lazy.map {
            [end = range.upperBound] start in
            start..<min(start + Self.blockByteCount, end)
        }
    }

    /// Reads a block, once the one before it was sent.
    ///
    /// - Parameters:
    ///   - block: One of ``blocks``.
    ///   - pool: Whose threads wait for the file.
    /// - Returns: All bytes of the block.
    /// - Throws: `PictureFile.ReadError` where the file has changed: the client then gets less than it was promised, and no
    ///   mixture.
    func bytes(_ block: Range<Int64>, on pool: WorkerPool) async throws -> ByteBuffer {
        try await pool.goOn { ByteBuffer(bytes: try file.bytes(block)) }
    }
}
