import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// Decoded pixels in sRGB, 8 bits: 3 bytes for each pixel, or 4 with alpha.
///
/// All unsafe code between Swift and libvips is here and in ``PictureBytes``.
@safe
final class Raster {
    private var raster: photostream_raster

    init(_ raster: consuming photostream_raster) {
        unsafe self.raster = unsafe raster
    }

    deinit { unsafe photostream_raster_free(&raster) }

    /// The width in pixels.
    var width: Int { unsafe Int(raster.width) }
    /// The height in pixels.
    var height: Int { unsafe Int(raster.height) }
    /// 3, or 4 with alpha.
    var bandCount: Int { unsafe Int(raster.bands) }

    /// The bytes, row by row without gaps.
    var pixels: [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: raster.pixels, count: width * height * bandCount))
    }

    /// Rotates and mirrors the picture by an orientation.
    func turn(_ orientation: Orientation) throws(PictureFailure) {
        try PixelFailure.check(unsafe photostream_raster_turn(&raster, Int32(orientation.rawValue)))
    }

    /// Returns the picture scaled so that its longer side is at most `side`, or itself if it is not longer.
    func fitting(_ side: Int) throws(PictureFailure) -> Raster {
        let (width, height) = Self.size(fitting: side, width: width, height: height)
        guard (width, height) != (self.width, self.height) else { return self }
        var smaller = unsafe photostream_raster()
        try PixelFailure.check(unsafe photostream_raster_resize(&raster, Int32(width), Int32(height), &smaller))
        return unsafe Raster(smaller)
    }

    /// Cuts a part out of the picture.
    func crop(x: Int, y: Int, width: Int, height: Int) throws(PictureFailure) {
        try PixelFailure.check(
            unsafe photostream_raster_crop(&raster, Int32(x), Int32(y), Int32(width), Int32(height)))
    }

    /// Returns the picture halved until its longer side is at most `side`.
    func halved(to side: Int) throws(PictureFailure) -> Raster {
        guard max(width, height) > side, min(width, height) > 1 else { return self }
        var smaller = unsafe photostream_raster()
        try PixelFailure.check(
            unsafe photostream_raster_resize(&raster, Int32(width / 2), Int32(height / 2), &smaller))
        return try unsafe Raster(smaller).halved(to: side)
    }

    /// Encodes the picture.
    func encoded(_ format: ThumbnailFormat) throws(PictureFailure) -> [UInt8] {
        var file = unsafe photostream_file()
        switch format {
        case .webP: try PixelFailure.check(unsafe photostream_raster_webp(&raster, 80, &file))
        case .jpeg: try PixelFailure.check(unsafe photostream_raster_jpeg(&raster, 80, &file))
        }
        defer { unsafe photostream_file_free(&file) }
        return unsafe [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// Returns the size of a picture scaled so that its longer side is at most `side`.
    ///
    /// It is never enlarged, and no side is shorter than a pixel.
    static func size(fitting side: Int, width: Int, height: Int) -> (width: Int, height: Int) {
        let longer = max(width, height)
        guard longer > side else { return (width, height) }
        func scaled(_ length: Int) -> Int { max(1, (length * side * 2 + longer) / (longer * 2)) }
        return (scaled(width), scaled(height))
    }
}

/// Converts the failures of decoders.
enum PixelFailure {
    static func check(_ result: photostream_pixel_result) throws(PictureFailure) {
        switch result {
        case photostream_pixels_decoded: return
        case photostream_pixels_unsupported:
            throw PictureFailure(.unsupported, reason: "Pictures of its kind cannot be decoded.")
        case photostream_pixels_too_large:
            throw PictureFailure(.tooLarge, reason: "It needs more memory than a picture may use.")
        default: throw PictureFailure(.damaged, reason: "The picture is cut off or damaged.")
        }
    }
}
