#include "CVipsPixels.h"

#include <libraw/libraw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

photostream_pixel_result photostream_preview_read(int descriptor, photostream_preview *preview) {
    memset(preview, 0, sizeof *preview);
    // libraw's C functions take no descriptor; this name opens the very file that the descriptor holds.
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    libraw_data_t *data = libraw_init(0);
    if (!data) return photostream_pixels_too_large;
    libraw_set_dataerror_handler(data, NULL, NULL);
    int code = libraw_open_file(data, name);
    if (code == LIBRAW_SUCCESS) {
        preview->full_width = data->sizes.width;
        preview->full_height = data->sizes.height;
        preview->flip = data->sizes.flip;
        code = libraw_unpack_thumb(data);
    } else {
        libraw_close(data);
        return code == LIBRAW_FILE_UNSUPPORTED ? photostream_pixels_unsupported : photostream_pixels_damaged;
    }
    photostream_pixel_result result = photostream_pixels_unsupported;
    const libraw_thumbnail_t *thumb = &data->thumbnail;
    int is_jpeg = thumb->tformat == LIBRAW_THUMBNAIL_JPEG;
    int is_bitmap = thumb->tformat == LIBRAW_THUMBNAIL_BITMAP &&
                    (size_t)thumb->tlength >= (size_t)thumb->twidth * thumb->theight * 3;
    if (code == LIBRAW_SUCCESS && thumb->thumb && thumb->tlength > 0 && (is_jpeg || is_bitmap)) {
        preview->bytes = malloc(thumb->tlength);
        if (preview->bytes) {
            memcpy(preview->bytes, thumb->thumb, thumb->tlength);
            preview->count = thumb->tlength;
            preview->is_jpeg = is_jpeg;
            preview->width = thumb->twidth;
            preview->height = thumb->theight;
            result = photostream_pixels_decoded;
        } else {
            result = photostream_pixels_too_large;
        }
    } else if (code == LIBRAW_UNSUFFICIENT_MEMORY) {
        result = photostream_pixels_too_large;
    }
    libraw_close(data);
    return result;
}

void photostream_preview_free(photostream_preview *preview) {
    free(preview->bytes);
    preview->bytes = NULL;
}
