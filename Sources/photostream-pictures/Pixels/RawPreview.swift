import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// The largest preview in a raw file that is a JPEG.
///
/// Previews of other kinds are those of cameras from before 2005.
struct RawPreview {
    /// The preview, a JPEG file.
    let jpeg: [UInt8]
    /// The width of the full picture, unturned.
    let fullWidth: Int
    /// The height of the full picture, unturned.
    let fullHeight: Int
    /// The orientation of full picture and preview.
    let orientation: Orientation

    /// Finds the preview.
    ///
    /// - Throws: ``PictureFailure``; of the kind `unsupported` if there is none.
    init(of file: OpenedPicture) throws(PictureFailure) {
        var found = unsafe photostream_preview()
        let result = unsafe photostream_preview_read(file.descriptor, &found)
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
