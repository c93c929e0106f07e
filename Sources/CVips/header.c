#include "CVipsHeader.h"

#include <libexif/exif-data.h>
#include <libexif/exif-log.h>
#include <stdarg.h>
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

/// The XMP of HEIF, which libvips 8.14.1 gives under the number of its metadata block.
static const uint8_t *xmp_of_heif(VipsImage *image, size_t *count) {
    for (int i = 0; i < 16; i++) {
        char name[32];
        snprintf(name, sizeof name, "heif-mime-%d", i);
        const uint8_t *bytes = blob(image, name, count);
        if (bytes && *count >= 3) {
            size_t start = bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0;
            if (*count > start && bytes[start] == '<') return bytes;
        }
    }
    *count = 0;
    return NULL;
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
    if (!header->xmp) header->xmp = xmp_of_heif(image, &header->xmp_count);
    header->iptc = blob(image, VIPS_META_IPTC_NAME, &header->iptc_count);
    header->image = image;
    vips_error_clear();
    return 0;
}

void photostream_header_close(photostream_header *header) {
    if (header->image) g_object_unref(header->image);
    memset(header, 0, sizeof *header);
}

/// Notes that data is damaged; of the notes of cameras, which no field needs, that does not count.
static void note_damage(ExifLog *log, ExifLogCode code, const char *domain, const char *format, va_list values, void *data) {
    (void)log, (void)format, (void)values;
    if (code == EXIF_LOG_CODE_CORRUPT_DATA && domain && strncmp(domain, "ExifMnote", 9) != 0) *(int *)data = 1;
}

int photostream_exif_read(const uint8_t *bytes, size_t count, photostream_exif_entry entry, void *context) {
    static const uint8_t prefix[6] = {'E', 'x', 'i', 'f', 0, 0};
    if (count < 8 || count > 64 * 1024 * 1024) return -1;
    size_t start = memcmp(bytes, prefix, sizeof prefix) == 0 ? sizeof prefix : 0;
    if (count < start + 8 ||
        (memcmp(bytes + start, "II*\0", 4) != 0 && memcmp(bytes + start, "MM\0*", 4) != 0))
        return -1;
    ExifData *data = exif_data_new();
    if (!data) return -1;
    // As it stands in the file: no tag is dropped, none is corrected.
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    int isDamaged = 0;
    ExifLog *log = exif_log_new();
    if (log) {
        exif_log_set_func(log, note_damage, &isDamaged);
        exif_data_log(data, log);
    }
    if (start) {
        exif_data_load_data(data, bytes, (unsigned int)count);
    } else {
        uint8_t *copy = malloc(count + sizeof prefix);
        if (!copy) {
            exif_data_unref(data);
            if (log) exif_log_unref(log);
            return -1;
        }
        memcpy(copy, prefix, sizeof prefix);
        memcpy(copy + sizeof prefix, bytes, count);
        exif_data_load_data(data, copy, (unsigned int)(count + sizeof prefix));
        free(copy);
    }
    for (int directory = 0; directory < EXIF_IFD_COUNT; directory++) {
        ExifContent *content = data->ifd[directory];
        if (!content) continue;
        for (unsigned int i = 0; i < content->count; i++) {
            ExifEntry *e = content->entries[i];
            if (!e || !e->data) continue;
            entry(context, directory, e->tag, e->format, e->data, e->size);
        }
    }
    if (data->data && data->size) entry(context, EXIF_IFD_1, 0x0201, EXIF_FORMAT_UNDEFINED, data->data, data->size);
    int isBig = exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_MOTOROLA;
    exif_data_unref(data);
    if (log) exif_log_unref(log);
    return isBig | isDamaged << 1;
}
