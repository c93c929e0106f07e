import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// The largest preview in a raw file.
struct RawPreview {
    /// The form of a preview.
    enum Content {
        /// A JPEG file.
        case jpeg([UInt8])
        /// Pixels of 3 bytes.
        case pixels([UInt8], width: Int, height: Int)
    }

    /// The preview.
    let content: Content
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
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: found.bytes, count: found.count))
        (fullWidth, fullHeight) = unsafe (Int(found.full_width), Int(found.full_height))
        if unsafe found.is_jpeg != 0 {
            content = .jpeg(bytes)
        } else {
            let (width, height) = unsafe (Int(found.width), Int(found.height))
            guard width > 0, height > 0, bytes.count >= width * height * 3 else {
                throw PictureFailure(.damaged, reason: "The preview of the raw picture is damaged.")
            }
            content = .pixels(bytes, width: width, height: height)
        }
        orientation = Orientation(rawTurn: unsafe found.flip)
    }
}
