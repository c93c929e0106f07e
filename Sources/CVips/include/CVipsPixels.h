#ifndef PHOTOSTREAM_VIPS_PIXELS_H
#define PHOTOSTREAM_VIPS_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The bytes of a picture: in memory, or if `bytes` is null behind a descriptor. Both stay the caller's.
typedef struct photostream_bytes {
    const uint8_t *bytes;
    size_t count;
    int descriptor;
} photostream_bytes;

/// What is known of a picture before its pixels are decoded.
typedef struct photostream_pixel_header {
    /// The size of the first frame, unturned but as the decoder of HEIF turns it.
    int64_t width, height;
    /// The raw orientation, or 0 if there is none.
    int32_t orientation;
    /// Bytes for each pixel, as the decoder gives them.
    int32_t bytes_per_pixel;
    /// Whether the decoder holds the whole picture in memory: interlaced, progressive, HEIF, GIF, WebP.
    int32_t is_held;
} photostream_pixel_header;

/// The reason why a picture was not decoded.
typedef enum photostream_pixel_result {
    photostream_pixels_decoded = 0,
    photostream_pixels_damaged = 1,
    photostream_pixels_unsupported = 2,
    photostream_pixels_too_large = 3,
} photostream_pixel_result;

/// Pixels in sRGB, 8 bits: 3 bytes for each, or 4 with alpha that is not multiplied in. Rows follow without gaps.
typedef struct photostream_raster {
    uint8_t *pixels;
    int32_t width, height, bands;
} photostream_raster;

/// Encoded bytes, in the memory of the library that encoded them.
typedef struct photostream_file {
    uint8_t *bytes;
    size_t count;
    void (*release)(void *);
} photostream_file;

/// Reads the header.
photostream_pixel_result photostream_pixels_probe(photostream_bytes bytes, photostream_pixel_header *header);

/// Decodes a picture once, no smaller than the box that its size is to have, and makes it exactly `width` by `height`
/// in sRGB. It is not turned. With `is_tolerant`, pixels that are missing or damaged are left as the decoder leaves
/// them.
photostream_pixel_result photostream_pixels_decode(
    photostream_bytes bytes, int32_t width, int32_t height, int32_t is_tolerant, photostream_raster *raster);

/// Decodes the small copy in a HEIF file, in sRGB, turned as the file requires. Its sides are at most `side` pixels, or
/// the result is `photostream_pixels_unsupported`, as if there were none.
photostream_pixel_result photostream_pixels_decode_preview(
    photostream_bytes bytes, int32_t side, photostream_raster *raster);

/// Cuts a part out of a raster.
photostream_pixel_result photostream_raster_crop(
    photostream_raster *raster, int32_t x, int32_t y, int32_t width, int32_t height);

/// Makes a smaller raster; of half the size, rounded down, by the mean of four pixels.
photostream_pixel_result photostream_raster_resize(
    const photostream_raster *raster, int32_t width, int32_t height, photostream_raster *smaller);

/// Turns a raster as an orientation of EXIF, 1 to 8, says.
photostream_pixel_result photostream_raster_turn(photostream_raster *raster, int32_t orientation);

/// Encodes a raster as WebP, without any metadata.
photostream_pixel_result photostream_raster_webp(const photostream_raster *raster, int32_t quality, photostream_file *file);

/// Encodes a raster as JPEG, on white, without any metadata.
photostream_pixel_result photostream_raster_jpeg(const photostream_raster *raster, int32_t quality, photostream_file *file);

/// Frees what a function filled in after it returned 0.
void photostream_raster_free(photostream_raster *raster);
/// Frees what a function filled in after it returned 0.
void photostream_file_free(photostream_file *file);

/// A preview that a raw picture carries, and the picture's size.
typedef struct photostream_preview {
    /// A JPEG file.
    uint8_t *bytes;
    size_t count;
    /// The size of the full picture, unturned, and its turn as libraw writes it: 0, 3, 5 or 6.
    int32_t full_width, full_height, flip;
} photostream_preview;

/// Finds the largest JPEG that a raw picture carries, of at most so many bytes, from a descriptor, which stays the
/// caller's.
photostream_pixel_result photostream_preview_read(int descriptor, int64_t most, photostream_preview *preview);

/// Frees what ``photostream_preview_read`` filled in after it returned 0.
void photostream_preview_free(photostream_preview *preview);

#ifdef __cplusplus
}
#endif

#endif
