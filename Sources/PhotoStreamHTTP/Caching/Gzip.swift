import CZlib

/// Compression as RFC 1952 writes it down; the same bytes give the same bytes.
enum Gzip {
    /// What is shorter is not worth it.
    static let minimumByteCount = 1_024

    /// Compresses, fast rather than well: answers are made for one reader.
    ///
    /// - Returns: `nil` where the library cannot, for want of memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 31: the widest window with a gzip header.
        guard
            deflateInit2_(
                &stream, Z_BEST_SPEED, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            status = input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                return deflate(&stream, Z_FINISH)
            }
            count = bound - Int(stream.avail_out)
        }
        return status == Z_STREAM_END ? output : nil
    }
}
