#include "CVipsHeader.h"

#include <libexif/exif-data.h>
#include <libraw/libraw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

static const uint8_t *blob(VipsImage *image, const char *name, size_t *count) {
    const void *bytes = NULL;
    *count = 0;
    if (!vips_image_get_typeof(image, name)) return NULL;
    if (vips_image_get_blob(image, name, &bytes, count)) {
        vips_error_clear();
        *count = 0;
        return NULL;
    }
    return bytes;
}

int photostream_header_open(int descriptor, photostream_header *header) {
    memset(header, 0, sizeof *header);
    if (lseek(descriptor, 0, SEEK_SET) != 0) return -1;
    VipsSource *source = vips_source_new_from_descriptor(descriptor);
    VipsImage *image = source ? vips_image_new_from_source(source, "", NULL) : NULL;
    if (source) g_object_unref(source);
    if (!image) {
        vips_error_clear();
        return -1;
    }
    header->width = vips_image_get_width(image);
    header->height = vips_image_get_height(image);
    if (vips_image_get_typeof(image, VIPS_META_ORIENTATION)) {
        int orientation = 0;
        if (!vips_image_get_int(image, VIPS_META_ORIENTATION, &orientation)) header->orientation = orientation;
    }
    const char *compression = NULL;
    if (vips_image_get_typeof(image, "heif-compression") &&
        !vips_image_get_string(image, "heif-compression", &compression))
        header->is_av1 = strcmp(compression, "av1") == 0;
    header->exif = blob(image, VIPS_META_EXIF_NAME, &header->exif_count);
    header->xmp = blob(image, VIPS_META_XMP_NAME, &header->xmp_count);
    header->iptc = blob(image, VIPS_META_IPTC_NAME, &header->iptc_count);
    header->image = image;
    vips_error_clear();
    return 0;
}

void photostream_header_close(photostream_header *header) {
    if (header->image) g_object_unref(header->image);
    memset(header, 0, sizeof *header);
}

int photostream_exif_read(const uint8_t *bytes, size_t count, photostream_exif_entry entry, void *context) {
    static const uint8_t prefix[6] = {'E', 'x', 'i', 'f', 0, 0};
    if (count < 8 || count > 64 * 1024 * 1024) return -1;
    ExifData *data = exif_data_new();
    if (!data) return -1;
    // As it stands in the file: no tag is dropped, none is corrected.
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    if (memcmp(bytes, prefix, sizeof prefix) == 0) {
        exif_data_load_data(data, bytes, (unsigned int)count);
    } else {
        uint8_t *copy = malloc(count + sizeof prefix);
        if (!copy) {
            exif_data_unref(data);
            return -1;
        }
        memcpy(copy, prefix, sizeof prefix);
        memcpy(copy + sizeof prefix, bytes, count);
        exif_data_load_data(data, copy, (unsigned int)(count + sizeof prefix));
        free(copy);
    }
    unsigned int found = 0;
    for (int directory = 0; directory < EXIF_IFD_COUNT; directory++) {
        ExifContent *content = data->ifd[directory];
        if (!content) continue;
        for (unsigned int i = 0; i < content->count; i++) {
            ExifEntry *e = content->entries[i];
            if (!e || !e->data) continue;
            found++;
            entry(context, directory, e->tag, e->format, e->data, e->size);
        }
    }
    int isBig = exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_MOTOROLA;
    exif_data_unref(data);
    return found ? isBig : -1;
}

int photostream_raw_read(int descriptor, photostream_raw *raw) {
    memset(raw, 0, sizeof *raw);
    // libraw's C functions take no descriptor; this name opens the very file that the descriptor holds.
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    libraw_data_t *data = libraw_init(0);
    if (!data) return LIBRAW_UNSUFFICIENT_MEMORY;
    libraw_set_dataerror_handler(data, NULL, NULL);
    int result = libraw_open_file(data, name);
    if (result == LIBRAW_SUCCESS) {
        raw->width = data->sizes.width;
        raw->height = data->sizes.height;
        raw->flip = data->sizes.flip;
        raw->seconds = data->other.timestamp;
        snprintf(raw->make, sizeof raw->make, "%s", data->idata.make);
        snprintf(raw->model, sizeof raw->model, "%s", data->idata.model);
        snprintf(raw->description, sizeof raw->description, "%s", data->other.desc);
    }
    libraw_close(data);
    return result;
}
