import Crypto
import PhotoStreamModel
import PhotoStreamPictureMessages

/// The content of a file: the hash of its picture's data, and that of all its bytes.
///
/// A rating, a keyword or a date that a program writes into the file changes only the latter.
enum ContentHash {
    /// The number of bytes that are read at once.
    static let blockByteCount = 1 << 20
    /// The formats that are not films, and all of whose bytes are hashed whatever their number.
    private static let pictureFormats: Set<PictureFormat> = [
        .jpeg, .png, .gif, .webP, .tiff, .heic, .avif, .bmp, .jpegXL, .raw,
    ]

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

    /// Returns the content of a file.
    ///
    /// - Throws: ``PictureFailure``, with the kind `changed` if the file is written meanwhile.
    static func content(of file: OpenedPicture) throws(PictureFailure) -> FileContent {
        let format = PictureSignature.format(of: try file.read(at: 0, count: PictureSignature.byteCount))
        return try content(of: .file(file), format: format)
    }

    /// Returns the content of a picture; of a file that is not a picture, if `format` is `nil`.
    ///
    /// - Throws: ``PictureFailure``, with the kind `changed` if the file is written meanwhile.
    /// - Complexity: O(bytes); O(1) of a film beyond ``ContentParts/boundedByteCount``.
    static func content(of bytes: PictureBytes, format: PictureFormat?) throws(PictureFailure) -> FileContent {
        let fileHash = try fileHash(of: bytes, format: format)
        guard let parts = try pictureParts(of: bytes, format: format) else {
            return FileContent(pictureHash: fileHash, fileHash: fileHash)
        }
        return FileContent(pictureHash: try hash(of: parts, in: bytes), fileHash: fileHash)
    }

    /// Returns the parts of a file that make its picture; `nil` if they are not certain.
    private static func pictureParts(
        of bytes: PictureBytes, format: PictureFormat?
    ) throws(PictureFailure) -> ContentParts? {
        switch format {
        case .jpeg: return try JPEGContent.parts(of: bytes)
        case .png: return try PNGContent.parts(of: bytes)
        case .gif: return try GIFContent.parts(of: bytes)
        case .webP: return try WebPContent.parts(of: bytes)
        case .heic, .avif: return try HEIFContent.parts(of: bytes)
        case .tiff, .raw:
            if let parts = try TIFFContent.parts(of: bytes) { return parts }
            // Canon's CR3 is made of the boxes of a film.
            return try FilmContent.parts(of: bytes)
        case .bmp, .jpegXL: return nil
        default: return try FilmContent.parts(of: bytes)
        }
    }

    private static func fileHash(of bytes: PictureBytes, format: PictureFormat?) throws(PictureFailure) -> [UInt8] {
        let isPicture = format.map { pictureFormats.contains($0) } ?? false
        if !isPicture, bytes.byteCount > ContentParts.boundedByteCount {
            return try hash(of: FilmContent.boundedFile(bytes), in: bytes)
        }
        return switch bytes {
        case .memory(let bytes): hash(of: bytes)
        case .file(let file): try hash(of: file)
        }
    }

    private static func hash(of parts: ContentParts, in bytes: PictureBytes) throws(PictureFailure) -> [UInt8] {
        var hasher = SHA256()
        for part in parts.all {
            switch part {
            case .bytes(let bytes): hasher.update(data: bytes)
            case .range(let range):
                var place = range.lowerBound
                while place < range.upperBound {
                    let block = try bytes.read(
                        at: place, count: Int(min(Int64(blockByteCount), range.upperBound - place)))
                    guard !block.isEmpty else { throw OpenedPicture.changed }
                    hasher.update(data: block)
                    place += Int64(block.count)
                }
            }
        }
        if case .file(let file) = bytes, file.hasChanged { throw OpenedPicture.changed }
        return Array(hasher.finalize())
    }
}
