import CVips
import PhotoStreamPictureMessages

/// The bytes of a picture: in memory, or in a file if there are too many.
///
/// Bytes in memory are read once, so that the hash and the pixels are of the same content.
enum PictureBytes {
    case memory([UInt8])
    case file(OpenedPicture)

    /// The maximum length of files that are read into memory.
    static let maximumByteCount: Int64 = 128 << 20

    /// Reads a file, or leaves it to the decoder if it is large.
    static func read(
        _ file: OpenedPicture, maximumByteCount: Int64 = maximumByteCount
    ) throws(PictureFailure) -> PictureBytes {
        guard file.byteCount <= maximumByteCount else { return .file(file) }
        let bytes = try file.read(at: 0, count: Int(file.byteCount))
        guard bytes.count == Int(file.byteCount) else { throw OpenedPicture.changed }
        return .memory(bytes)
    }

    /// A HEIF file as the decoder here can read it.
    var readableHEIF: PictureBytes {
        guard case .memory(let bytes) = self, let readable = RepairedBytes.withoutSharedAuxiliaries(bytes) else {
            return self
        }
        return .memory(readable)
    }

    /// A JPEG with its lost restart markers, and any other picture as it is.
    var repairedJPEG: PictureBytes {
        guard case .memory(let bytes) = self, bytes.starts(with: [0xFF, 0xD8]),
            let repaired = RepairedBytes.withLostRestartMarkers(bytes)
        else { return self }
        return .memory(repaired)
    }

    /// Reads the decoder's description of the picture, before it is decoded.
    func probe() throws(PictureFailure) -> photostream_pixel_header {
        var header = photostream_pixel_header()
        try PixelFailure.check(unsafe withBytes { bytes in unsafe photostream_pixels_probe(bytes, &header) })
        return header
    }

    /// Decodes the picture to a size, without rotating it.
    func decode(width: Int, height: Int, isTolerant: Bool) throws(PictureFailure) -> Raster {
        var raster = unsafe photostream_raster()
        try PixelFailure.check(
            unsafe withBytes { bytes in
                unsafe photostream_pixels_decode(bytes, Int32(width), Int32(height), isTolerant ? 1 : 0, &raster)
            })
        return unsafe Raster(raster)
    }

    /// Decodes the small copy in a HEIF file, whose sides are at most `side` pixels.
    func decodePreview(side: Int) throws(PictureFailure) -> Raster {
        var raster = unsafe photostream_raster()
        try PixelFailure.check(
            unsafe withBytes { bytes in unsafe photostream_pixels_decode_preview(bytes, Int32(side), &raster) })
        return unsafe Raster(raster)
    }

    private func withBytes(_ body: (photostream_bytes) -> photostream_pixel_result) -> photostream_pixel_result {
        switch self {
        case .memory(let bytes):
            unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe body(photostream_bytes(bytes: buffer.baseAddress, count: buffer.count, descriptor: -1))
            }
        case .file(let file):
            unsafe body(photostream_bytes(bytes: nil, count: 0, descriptor: file.descriptor))
        }
    }
}
