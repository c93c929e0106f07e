#include "CVipsPixels.h"
#include "RawFile.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>

namespace {

/// The place of a JPEG in a raw file.
struct Place {
    long long offset = 0;
    long long count = 0;
};

/// Reads the header of a raw file.
///
/// The preview itself is never unpacked by libraw: 0.20.2 writes beyond the end of its memory for previews in layers, with
/// bytes of the file. Its place is all that is asked for, which only a subclass can see in that version.
class Reader : public LibRaw {
public:
    /// Finds the largest preview that is a JPEG.
    Place jpeg() {
        Place place;
#if LIBRAW_MAJOR_VERSION == 0 && LIBRAW_MINOR_VERSION < 21
        if (write_thumb == &Reader::jpeg_thumb) {
            place.offset = libraw_internal_data.internal_data.toffset;
            place.count = imgdata.thumbnail.tlength;
        }
#else
        for (int i = 0; i < imgdata.thumbs_list.thumbcount; i++) {
            const libraw_thumbnail_item_t &item = imgdata.thumbs_list.thumblist[i];
            if (item.tformat == LIBRAW_INTERNAL_THUMBNAIL_JPEG && item.tlength > place.count) {
                place.offset = item.toffset;
                place.count = item.tlength;
            }
        }
#endif
        return place;
    }
};

photostream_pixel_result read(int descriptor, Place place, long long most, photostream_preview *preview) {
    if (place.offset <= 0 || place.count < 4 || place.count > most) return photostream_pixels_unsupported;
    auto *bytes = static_cast<uint8_t *>(std::malloc(place.count));
    if (!bytes) return photostream_pixels_too_large;
    long long filled = 0;
    while (filled < place.count) {
        ssize_t result = pread(descriptor, bytes + filled, place.count - filled, place.offset + filled);
        if (result <= 0) break;
        filled += result;
    }
    if (filled < place.count) {
        std::free(bytes);
        return photostream_pixels_damaged;
    }
    // Some cameras leave them out.
    bytes[0] = 0xFF;
    bytes[1] = 0xD8;
    preview->bytes = bytes;
    preview->count = place.count;
    return photostream_pixels_decoded;
}

}  // namespace

photostream_pixel_result photostream_preview_read(int descriptor, int64_t most, photostream_preview *preview) {
    std::memset(preview, 0, sizeof *preview);
    try {
        return withRawHeader<Reader>(descriptor, [descriptor, most, preview](int code, Reader &reader) {
            if (code == LIBRAW_FILE_UNSUPPORTED) return photostream_pixels_unsupported;
            if (code == LIBRAW_UNSUFFICIENT_MEMORY) return photostream_pixels_too_large;
            if (code != LIBRAW_SUCCESS) return photostream_pixels_damaged;
            preview->full_width = reader.imgdata.sizes.width;
            preview->full_height = reader.imgdata.sizes.height;
            preview->flip = reader.imgdata.sizes.flip;
            return read(descriptor, reader.jpeg(), most, preview);
        });
    } catch (const std::bad_alloc &) {
        return photostream_pixels_too_large;
    } catch (...) {
        return photostream_pixels_damaged;
    }
}

void photostream_preview_free(photostream_preview *preview) {
    std::free(preview->bytes);
    preview->bytes = nullptr;
}
