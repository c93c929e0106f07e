import Crypto
import PhotoStreamPictureMessages

/// The SHA-256 of a file's bytes.
enum ContentHash {
    private static let blockByteCount = 1 << 20

    /// Hashes bytes.
    static func hash(of bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: bytes))
    }

    /// Hashes a file from its first byte to its last.
    ///
    /// - Throws: ``PictureFailure``, with the kind `changed` if the file grows, shrinks or is written meanwhile.
    static func hash(of file: OpenedPicture) throws(PictureFailure) -> [UInt8] {
        var (hasher, position) = (SHA256(), Int64(0))
        while position < file.byteCount {
            let block = try file.read(at: position, count: Int(min(Int64(blockByteCount), file.byteCount - position)))
            guard !block.isEmpty else { throw OpenedPicture.changed }
            hasher.update(data: block)
            position += Int64(block.count)
        }
        guard !file.hasChanged else { throw OpenedPicture.changed }
        return Array(hasher.finalize())
    }
}
