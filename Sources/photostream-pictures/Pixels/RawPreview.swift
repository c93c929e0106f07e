import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// The largest JPEG preview in a raw file.
///
/// Only cameras from before 2005 have previews of other formats.
struct RawPreview {
    /// The preview, a JPEG file.
    let jpeg: [UInt8]
    /// The width of the full picture before rotation.
    let fullWidth: Int
    /// The height of the full picture before rotation.
    let fullHeight: Int
    /// The orientation of the full picture and the preview.
    let orientation: Orientation

    /// Finds the preview.
    ///
    /// - Throws: ``PictureFailure``; of the kind `unsupported` if there is none of at most `maximumByteCount`.
    init(of file: OpenedPicture, maximumByteCount: Int64 = 256 << 20) throws(PictureFailure) {
        var found = unsafe photostream_preview()
        let result = unsafe photostream_preview_read(file.descriptor, maximumByteCount, &found)
        guard result != photostream_pixels_unsupported else {
            throw PictureFailure(.unsupported, reason: "The raw picture has no preview that can be decoded.")
        }
        try PixelFailure.check(result)
        defer { unsafe photostream_preview_free(&found) }
        jpeg = unsafe [UInt8](UnsafeBufferPointer(start: found.bytes, count: found.count))
        (fullWidth, fullHeight) = unsafe (Int(found.full_width), Int(found.full_height))
        orientation = Orientation(rawTurn: unsafe found.flip)
    }
}
