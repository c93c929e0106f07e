#ifndef PHOTOSTREAM_VIPS_HEADER_H
#define PHOTOSTREAM_VIPS_HEADER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The header of a picture that libvips opened without decoding pixels.
typedef struct photostream_header {
    /// The size, after the transformations that the loader makes.
    int64_t width, height;
    /// The raw orientation, or 0 if there is none.
    int32_t orientation;
    /// Whether an HEIF file is compressed with AV1.
    int32_t is_av1;
    /// The metadata, owned by ``image``; null where there is none.
    const uint8_t *exif, *xmp, *iptc;
    size_t exif_count, xmp_count, iptc_count;
    /// The object that ``photostream_header_close`` frees.
    void *image;
} photostream_header;

/// Opens a picture from a descriptor, which stays the caller's. Returns 0, or -1 if libvips cannot read its header.
int photostream_header_open(int descriptor, photostream_header *header);

/// Frees what ``photostream_header_open`` filled in after it returned 0.
void photostream_header_close(photostream_header *header);

/// Receives an entry of an EXIF block: its directory (0 to 4), tag and format, and its bytes in the block's order.
///
/// The preview in directory 1 comes as the bytes of tag 0x0201, which is its place in the file.
typedef void (*photostream_exif_entry)(
    void *context, int directory, int tag, int format, const uint8_t *bytes, size_t count);

/// Reads an EXIF block, with or without its prefix. Returns -1 if it cannot be read, else two bits: 1 if its numbers are
/// big-endian, 2 if a part of it is damaged.
int photostream_exif_read(const uint8_t *bytes, size_t count, photostream_exif_entry entry, void *context);

/// The header of a raw picture.
typedef struct photostream_raw {
    /// The size of the full picture, unturned.
    int32_t width, height;
    /// The turn as libraw writes it: 0, 3 (half), 5 (left) or 6 (right).
    int32_t flip;
    /// Seconds since 1970 of the camera's clock, as if it showed UTC, or 0.
    int64_t seconds;
    char make[64], model[64], description[512];
} photostream_raw;

/// Reads the header of a raw picture from a descriptor. Returns 0, or a code of libraw.
int photostream_raw_read(int descriptor, photostream_raw *raw);

#ifdef __cplusplus
}
#endif

#endif
