#include "CVipsPixels.h"
#include "resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>
#include <webp/encode.h>

/// Maps libvips's error text, which may quote the file, to a kind; the text itself goes nowhere.
static photostream_pixel_result failed(void) {
    const char *text = vips_error_buffer();
    photostream_pixel_result result = photostream_pixels_damaged;
    static const char *const large[] = {
        "out of memory",     "Insufficient memory", "emory allocation", "Security limit", "exceeds the maximum",
        "Cannot allocate",   "too large",           "limit exceeded",   "too big",        "bad_alloc",
    };
    static const char *const unsupported[] = {
        "Unsupported", "not supported", "unsupported", "not a known file format",
        // HEIF that is turned or cut out, as libheif 1.15 reports it.
        "bad image dimensions",
    };
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (strstr(text, unsupported[i])) result = photostream_pixels_unsupported;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        if (strstr(text, large[i])) result = photostream_pixels_too_large;
    vips_error_clear();
    return result;
}

static VipsImage *opened(photostream_bytes bytes, const char *options, int is_tolerant) {
    VipsSource *source;
    if (bytes.bytes) {
        source = vips_source_new_from_memory(bytes.bytes, bytes.count);
    } else {
        if (lseek(bytes.descriptor, 0, SEEK_SET) != 0) return NULL;
        source = vips_source_new_from_descriptor(bytes.descriptor);
    }
    if (!source) return NULL;
    VipsImage *image = vips_image_new_from_source(
        source, options, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", is_tolerant ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_ERROR,
        NULL);
    g_object_unref(source);
    return image;
}

/// The name of the loader, such as "jpegload_source".
static const char *loader(VipsImage *image) {
    const char *name = "";
    if (vips_image_get_typeof(image, VIPS_META_LOADER)) vips_image_get_string(image, VIPS_META_LOADER, &name);
    return name;
}

static int is_from(VipsImage *image, const char *name) { return strncmp(loader(image), name, strlen(name)) == 0; }

photostream_pixel_result photostream_pixels_probe(photostream_bytes bytes, photostream_pixel_header *header) {
    memset(header, 0, sizeof *header);
    VipsImage *image = opened(bytes, "", 1);
    if (!image) return failed();
    header->width = vips_image_get_width(image);
    header->height = vips_image_get_height(image);
    int orientation = 0;
    if (vips_image_get_typeof(image, VIPS_META_ORIENTATION) &&
        !vips_image_get_int(image, VIPS_META_ORIENTATION, &orientation))
        header->orientation = orientation;
    header->bytes_per_pixel = (int32_t)VIPS_IMAGE_SIZEOF_PEL(image);
    // libvips sets this for every JPEG, to 0 for one scan.
    int has_scans = 0;
    if (vips_image_get_typeof(image, "jpeg-multiscan")) vips_image_get_int(image, "jpeg-multiscan", &has_scans);
    header->is_held = has_scans || vips_image_get_typeof(image, "interlaced") || is_from(image, "heif") ||
                      is_from(image, "gif") || is_from(image, "webp");
    // Coefficients of 16 bits are what a progressive JPEG holds.
    if (is_from(image, "jpeg")) header->bytes_per_pixel *= 2;
    g_object_unref(image);
    vips_error_clear();
    return photostream_pixels_decoded;
}

/// Replaces an image by the result of an operation, or frees it.
#define STEP(image, call)            \
    do {                             \
        VipsImage *next = NULL;      \
        int code = (call);           \
        g_object_unref(image);       \
        (image) = code ? NULL : next; \
        if (!(image)) return NULL;   \
    } while (0)

/// Opens a picture again so that its decoder makes it smaller itself where it can, but not below the wanted size: the
/// rest is left to a good filter.
static VipsImage *shrunk(photostream_bytes bytes, VipsImage *image, double width, double height, int is_tolerant) {
    double factor = VIPS_MIN(image->Xsize / width, image->Ysize / height);
    char options[64] = "";
    if (is_from(image, "jpeg")) {
        int shrink = factor >= 8 ? 8 : factor >= 4 ? 4 : factor >= 2 ? 2 : 1;
        if (shrink > 1) g_snprintf(options, sizeof options, "shrink=%d", shrink);
    } else if (is_from(image, "webp") && factor > 2.5) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_snprintf(options, sizeof options, "scale=%s", g_ascii_dtostr(number, sizeof number, 2 / factor));
    } else if (is_from(image, "heif")) {
        // Cameras store a small picture beside the large one. It counts if it has the same shape.
        VipsImage *small = opened(bytes, "thumbnail=true", is_tolerant);
        if (small && small->Xsize < image->Xsize && small->Xsize >= width && small->Ysize >= height &&
            fabs((double)small->Xsize * image->Ysize / ((double)small->Ysize * image->Xsize) - 1) < 0.01) {
            g_object_unref(image);
            return small;
        }
        if (small) g_object_unref(small);
        vips_error_clear();
    }
    if (!*options) return image;
    g_object_unref(image);
    return opened(bytes, options, is_tolerant);
}

/// The colour space that a profile describes, as its four letters; null if the profile is damaged.
static const char *space_of_profile(VipsImage *image) {
    const void *bytes = NULL;
    size_t count = 0;
    if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME) ||
        vips_image_get_blob(image, VIPS_META_ICC_NAME, &bytes, &count) || count < 132 ||
        memcmp((const char *)bytes + 36, "acsp", 4) != 0)
        return NULL;
    return (const char *)bytes + 16;
}

static int is_space(const char *space, const char *name) { return space && memcmp(space, name, 4) == 0; }

static VipsImage *fallen_back(VipsImage *image, VipsImage *converted) {
    if (converted) {
        g_object_unref(image);
        return converted;
    }
    vips_error_clear();
    return image;
}

/// Converts colours without alpha to sRGB of 8 bits.
///
/// libvips 8.14.1 transforms by profiles that do not belong to the picture's bands, and stumbles. So a profile counts
/// only if its colour space is that of the bands; without one, sRGB, grey of sRGB and a general CMYK are assumed.
static VipsImage *srgb(VipsImage *image) {
    if (image->Type == VIPS_INTERPRETATION_sRGB && image->Bands == 3 && image->BandFmt == VIPS_FORMAT_UCHAR &&
        !vips_image_get_typeof(image, VIPS_META_ICC_NAME))
        return image;
    const char *space = space_of_profile(image);
    int is_integer = image->BandFmt == VIPS_FORMAT_UCHAR || image->BandFmt == VIPS_FORMAT_USHORT;
    int is_cmyk = image->Type == VIPS_INTERPRETATION_CMYK || (image->Bands == 4 && is_space(space, "CMYK"));
    int fits = is_cmyk            ? image->Bands == 4 && is_space(space, "CMYK")
               : image->Bands == 1 ? is_space(space, "GRAY")
               : image->Bands == 3 ? is_space(space, "RGB ") && image->Type != VIPS_INTERPRETATION_LAB
                                   : 0;
    if (is_integer && fits) {
        VipsImage *converted = NULL;
        if (vips_icc_transform(
                image, &converted, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_RELATIVE, "depth", 8, NULL))
            converted = NULL;
        // Evaluated here, so that a profile that fails only with pixels does not fail the picture.
        if (converted) {
            VipsImage *evaluated = vips_image_copy_memory(converted);
            g_object_unref(converted);
            converted = evaluated;
        }
        VipsImage *before = image;
        image = fallen_back(image, converted);
        if (image != before && image->Bands == 3) return image;
        if (image != before) {
            STEP(image, vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL));
            return image;
        }
    }
    // From here on no profile counts: libvips would take a wrong one into account.
    STEP(image, vips_copy(image, &next, NULL));
    vips_image_remove(image, VIPS_META_ICC_NAME);
    if (is_cmyk && image->Bands == 4) {
        if (image->BandFmt == VIPS_FORMAT_USHORT)
            STEP(image, vips_msb(image, &next, NULL));
        else if (image->BandFmt != VIPS_FORMAT_UCHAR)
            STEP(image, vips_cast(image, &next, VIPS_FORMAT_UCHAR, NULL));
        STEP(image, vips_copy(image, &next, "interpretation", VIPS_INTERPRETATION_CMYK, NULL));
        STEP(
            image, vips_icc_transform(
                       image, &next, "srgb", "input_profile", "cmyk", "embedded", FALSE, "intent", VIPS_INTENT_RELATIVE,
                       "depth", 8, NULL));
        return image;
    }
    VipsInterpretation type = vips_image_guess_interpretation(image);
    if (type == VIPS_INTERPRETATION_MULTIBAND || type == VIPS_INTERPRETATION_ERROR || type == VIPS_INTERPRETATION_CMYK) {
        int bands = image->Bands >= 3 ? 3 : 1;
        if (image->Bands != bands) STEP(image, vips_extract_band(image, &next, 0, "n", bands, NULL));
        int is_wide = image->BandFmt == VIPS_FORMAT_USHORT;
        type = bands == 3 ? (is_wide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB)
                          : (is_wide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W);
    }
    if (type != image->Type) STEP(image, vips_copy(image, &next, "interpretation", type, NULL));
    STEP(image, vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL));
    if (image->BandFmt != VIPS_FORMAT_UCHAR) STEP(image, vips_cast(image, &next, VIPS_FORMAT_UCHAR, NULL));
    return image;
}

/// The value of opaque alpha.
static double opaque(VipsImage *image) {
    return image->BandFmt == VIPS_FORMAT_USHORT || image->Type == VIPS_INTERPRETATION_RGB16 ||
                   image->Type == VIPS_INTERPRETATION_GREY16
               ? 65535
               : image->Type == VIPS_INTERPRETATION_scRGB ? 1
                                                          : 255;
}

/// Makes an image that is hardly larger exactly this large, with its own colours and profile; frees it.
static VipsImage *resampled(VipsImage *image, int width, int height) {
    VipsImage *memory = vips_image_copy_memory(image);
    g_object_unref(image);
    if (!memory) return NULL;
    size_t count = (size_t)width * (size_t)height * 3;
    uint8_t *pixels = g_try_malloc(count);
    VipsImage *result = NULL, *described = NULL;
    if (!pixels) {
        vips_error("photostream", "out of memory");
    } else if (photostream_resample(
                   VIPS_IMAGE_ADDR(memory, 0, 0), memory->Xsize, memory->Ysize, pixels, width, height)) {
        vips_error("photostream", "out of memory");
    } else {
        result = vips_image_new_from_memory_copy(pixels, count, width, height, 3, VIPS_FORMAT_UCHAR);
    }
    g_free(pixels);
    const void *profile = NULL;
    size_t profile_count = 0;
    if (result && !vips_copy(result, &described, "interpretation", memory->Type, NULL) &&
        vips_image_get_typeof(memory, VIPS_META_ICC_NAME) &&
        !vips_image_get_blob(memory, VIPS_META_ICC_NAME, &profile, &profile_count))
        vips_image_set_blob_copy(described, VIPS_META_ICC_NAME, profile, profile_count);
    if (result) g_object_unref(result);
    g_object_unref(memory);
    return described;
}

/// Makes an image exactly this large. Colours are weighted by alpha, and alpha comes back into the same range.
static VipsImage *resized(VipsImage *image, int width, int height, int has_alpha) {
    if (image->Xsize == width && image->Ysize == height) return image;
    // Of hardly larger images only, because others may not fit into memory as a whole.
    if (image->Bands == 3 && image->BandFmt == VIPS_FORMAT_UCHAR && image->Xsize >= width &&
        image->Xsize <= 2 * width && image->Ysize >= height && image->Ysize <= 2 * height)
        return resampled(image, width, height);
    VipsBandFormat format = image->BandFmt;
    double highest = opaque(image);
    if (has_alpha) STEP(image, vips_premultiply(image, &next, "max_alpha", highest, NULL));
    STEP(
        image, vips_resize(
                   image, &next, (double)width / image->Xsize, "vscale", (double)height / image->Ysize, "kernel",
                   VIPS_KERNEL_LANCZOS3, NULL));
    if (has_alpha) {
        STEP(image, vips_unpremultiply(image, &next, "max_alpha", highest, NULL));
        STEP(image, vips_cast(image, &next, format, NULL));
    }
    if (image->Xsize != width || image->Ysize != height)
        STEP(image, vips_embed(image, &next, 0, 0, width, height, "extend", VIPS_EXTEND_COPY, NULL));
    return image;
}

/// Writes an image of 8 bits and 3 or 4 bands into memory of its own; frees it.
static photostream_pixel_result rastered(VipsImage *image, photostream_raster *raster) {
    memset(raster, 0, sizeof *raster);
    if (!image) return failed();
    if (image->BandFmt != VIPS_FORMAT_UCHAR || (image->Bands != 3 && image->Bands != 4)) {
        g_object_unref(image);
        return photostream_pixels_unsupported;
    }
    size_t count = VIPS_IMAGE_SIZEOF_IMAGE(image);
    raster->width = image->Xsize;
    raster->height = image->Ysize;
    raster->bands = image->Bands;
    if (image->dtype == VIPS_IMAGE_SETBUF) {
        // In memory already: to evaluate it again would start a thread for it.
        raster->pixels = g_try_malloc(count);
        if (raster->pixels) memcpy(raster->pixels, VIPS_IMAGE_ADDR(image, 0, 0), count);
        else vips_error("photostream", "out of memory");
    } else {
        raster->pixels = vips_image_write_to_memory(image, &count);
    }
    g_object_unref(image);
    if (!raster->pixels) return failed();
    vips_error_clear();
    return photostream_pixels_decoded;
}

/// Gives a picture a colour profile of its own.
///
/// The loader of HEIF in libvips 8.14.1 frees the profile with its own image, while images that were made of it go on
/// pointing at it.
static void own_profile(VipsImage *image) {
    const void *bytes = NULL;
    size_t count = 0;
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) &&
        !vips_image_get_blob(image, VIPS_META_ICC_NAME, &bytes, &count))
        vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, bytes, count);
}

static VipsImage *decoded(photostream_bytes bytes, int width, int height, int is_tolerant) {
    VipsImage *image = opened(bytes, "", is_tolerant);
    if (image) image = shrunk(bytes, image, width, height, is_tolerant);
    if (!image) return NULL;
    own_profile(image);
    if (image->Coding != VIPS_CODING_NONE || image->BandFmt == VIPS_FORMAT_COMPLEX ||
        image->BandFmt == VIPS_FORMAT_DPCOMPLEX) {
        g_object_unref(image);
        vips_error("photostream", "unsupported coding");
        return NULL;
    }
    int has_alpha = vips_image_hasalpha(image);
    int colours = image->Type == VIPS_INTERPRETATION_CMYK ? 4 : image->Bands >= 3 ? 3 : 1;
    // More than one further band, as TIFF may have.
    if (image->Bands > colours + 1) STEP(image, vips_extract_band(image, &next, 0, "n", colours + has_alpha, NULL));
    if (image->Bands == colours + 1 && !has_alpha) STEP(image, vips_extract_band(image, &next, 0, "n", colours, NULL));
    has_alpha = image->Bands == colours + 1;
    image = resized(image, width, height, has_alpha);
    if (!image) return NULL;
    // The decoder reads its rows once, in order; what follows wants them more than once.
    VipsImage *memory = vips_image_copy_memory(image);
    g_object_unref(image);
    image = memory;
    if (!image || !has_alpha) return image ? srgb(image) : NULL;
    double highest = opaque(image);
    VipsImage *alpha = NULL;
    if (vips_extract_band(image, &alpha, colours, NULL)) {
        g_object_unref(image);
        return NULL;
    }
    VipsImage *scaled = NULL;
    int code = highest == 255 ? vips_cast(alpha, &scaled, VIPS_FORMAT_UCHAR, NULL)
                              : vips_linear1(alpha, &scaled, 255 / highest, 0.5 * (highest > 255), "uchar", TRUE, NULL);
    g_object_unref(alpha);
    if (code) {
        g_object_unref(image);
        return NULL;
    }
    VipsImage *colour = NULL;
    code = vips_extract_band(image, &colour, 0, "n", colours, NULL);
    g_object_unref(image);
    colour = code ? NULL : srgb(colour);
    VipsImage *joined = NULL;
    if (colour && vips_bandjoin2(colour, scaled, &joined, NULL)) joined = NULL;
    if (colour) g_object_unref(colour);
    g_object_unref(scaled);
    return joined;
}

photostream_pixel_result photostream_pixels_decode(
    photostream_bytes bytes, int32_t width, int32_t height, int32_t is_tolerant, photostream_raster *raster) {
    return rastered(decoded(bytes, width, height, is_tolerant), raster);
}

/// The raster as an image that knows nothing else: no profile, no metadata.
static VipsImage *image_of(const photostream_raster *raster) {
    size_t count = (size_t)raster->width * (size_t)raster->height * (size_t)raster->bands;
    VipsImage *image = vips_image_new_from_memory(
        raster->pixels, count, raster->width, raster->height, raster->bands, VIPS_FORMAT_UCHAR);
    if (!image) return NULL;
    STEP(image, vips_copy(image, &next, "interpretation", VIPS_INTERPRETATION_sRGB, NULL));
    return image;
}

photostream_pixel_result photostream_pixels_decode_preview(
    photostream_bytes bytes, int32_t side, photostream_raster *raster) {
    memset(raster, 0, sizeof *raster);
    VipsImage *image = opened(bytes, "thumbnail=true", 0);
    if (!image) return failed();
    if (!is_from(image, "heif") || image->Xsize > side || image->Ysize > side || image->Bands != 3) {
        g_object_unref(image);
        return photostream_pixels_unsupported;
    }
    own_profile(image);
    VipsImage *memory = vips_image_copy_memory(image);
    g_object_unref(image);
    return rastered(memory ? srgb(memory) : NULL, raster);
}

photostream_pixel_result photostream_raster_crop(
    photostream_raster *raster, int32_t x, int32_t y, int32_t width, int32_t height) {
    if (x < 0 || y < 0 || width < 1 || height < 1 || x > raster->width - width || y > raster->height - height)
        return photostream_pixels_unsupported;
    size_t from = (size_t)raster->width * (size_t)raster->bands, to = (size_t)width * (size_t)raster->bands;
    uint8_t *start = raster->pixels + (size_t)y * from + (size_t)x * (size_t)raster->bands;
    for (int row = 0; row < height; row++) memmove(raster->pixels + (size_t)row * to, start + (size_t)row * from, to);
    raster->width = width;
    raster->height = height;
    return photostream_pixels_decoded;
}

/// Makes a raster of half the size, rounded down: the mean of four pixels, whose colours count by their alpha. A filter of
/// libvips takes several times as long, and more of the picture is not visible at half the size.
static photostream_pixel_result halved(const photostream_raster *raster, photostream_raster *smaller) {
    int width = raster->width / 2, height = raster->height / 2, bands = raster->bands;
    size_t stride = (size_t)raster->width * (size_t)bands;
    *smaller = (photostream_raster){.width = width, .height = height, .bands = bands};
    smaller->pixels = g_try_malloc_n((size_t)width * (size_t)height, (size_t)bands);
    if (!smaller->pixels) return photostream_pixels_too_large;
    uint8_t *to = smaller->pixels;
    for (int y = 0; y < height; y++) {
        const uint8_t *above = raster->pixels + 2 * (size_t)y * stride, *below = above + stride;
        for (int x = 0; x < width; x++, above += 2 * bands, below += 2 * bands, to += bands) {
            if (bands == 3) {
                for (int band = 0; band < 3; band++)
                    to[band] = (uint8_t)((above[band] + above[band + 3] + below[band] + below[band + 3] + 2) / 4);
                continue;
            }
            int alpha = above[3] + above[7] + below[3] + below[7];
            for (int band = 0; band < 3; band++) {
                int sum = above[band] * above[3] + above[band + 4] * above[7] + below[band] * below[3] +
                          below[band + 4] * below[7];
                to[band] = (uint8_t)(alpha ? (sum + alpha / 2) / alpha : 0);
            }
            to[3] = (uint8_t)((alpha + 2) / 4);
        }
    }
    return photostream_pixels_decoded;
}

photostream_pixel_result photostream_raster_resize(
    const photostream_raster *raster, int32_t width, int32_t height, photostream_raster *smaller) {
    if (raster->width / 2 == width && raster->height / 2 == height) return halved(raster, smaller);
    VipsImage *image = image_of(raster);
    return rastered(image ? resized(image, width, height, raster->bands == 4) : NULL, smaller);
}

static VipsImage *turned(VipsImage *image, int orientation) {
    static const VipsAngle angles[9] = {
        [3] = VIPS_ANGLE_D180, [4] = VIPS_ANGLE_D180, [5] = VIPS_ANGLE_D90,
        [6] = VIPS_ANGLE_D90,  [7] = VIPS_ANGLE_D270, [8] = VIPS_ANGLE_D270,
    };
    if (angles[orientation] != VIPS_ANGLE_D0) STEP(image, vips_rot(image, &next, angles[orientation], NULL));
    if (orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7)
        STEP(image, vips_flip(image, &next, VIPS_DIRECTION_HORIZONTAL, NULL));
    return image;
}

photostream_pixel_result photostream_raster_turn(photostream_raster *raster, int32_t orientation) {
    if (orientation < 2 || orientation > 8) return photostream_pixels_decoded;
    photostream_raster result;
    VipsImage *image = image_of(raster);
    photostream_pixel_result code = rastered(image ? turned(image, orientation) : NULL, &result);
    if (code) return code;
    photostream_raster_free(raster);
    *raster = result;
    return photostream_pixels_decoded;
}

static photostream_pixel_result filed(int code, void *bytes, size_t count, photostream_file *file) {
    if (code) return failed();
    *file = (photostream_file){.bytes = bytes, .count = count, .release = g_free};
    vips_error_clear();
    return photostream_pixels_decoded;
}

photostream_pixel_result photostream_raster_webp(const photostream_raster *raster, int32_t quality, photostream_file *file) {
    // libwebp itself: libvips 8.14.1 adds an EXIF block of its own, even if it is told to strip everything.
    *file = (photostream_file){.release = WebPFree};
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, (float)quality) || !WebPPictureInit(&picture))
        return photostream_pixels_unsupported;
    // The default, 4, takes more than twice as long, for files that are a twentieth smaller.
    config.method = 2;
    picture.width = raster->width;
    picture.height = raster->height;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int stride = raster->width * raster->bands;
    int is_encoded = (raster->bands == 4 ? WebPPictureImportRGBA(&picture, raster->pixels, stride)
                                         : WebPPictureImportRGB(&picture, raster->pixels, stride)) &&
                     WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    if (!is_encoded) {
        WebPMemoryWriterClear(&writer);
        return photostream_pixels_too_large;
    }
    file->bytes = writer.mem;
    file->count = writer.size;
    return photostream_pixels_decoded;
}

static VipsImage *flattened(VipsImage *image) {
    VipsArrayDouble *white = vips_array_double_newv(3, 255.0, 255.0, 255.0);
    VipsImage *next = NULL;
    int code = vips_flatten(image, &next, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    g_object_unref(image);
    return code ? NULL : next;
}

photostream_pixel_result photostream_raster_jpeg(const photostream_raster *raster, int32_t quality, photostream_file *file) {
    VipsImage *image = image_of(raster);
    if (image && raster->bands == 4) image = flattened(image);
    if (!image) return failed();
    void *bytes = NULL;
    size_t count = 0;
    int code =
        vips_jpegsave_buffer(image, &bytes, &count, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, NULL);
    g_object_unref(image);
    return filed(code, bytes, count, file);
}

void photostream_raster_free(photostream_raster *raster) {
    g_free(raster->pixels);
    raster->pixels = NULL;
}

void photostream_file_free(photostream_file *file) {
    if (file->bytes) file->release(file->bytes);
    file->bytes = NULL;
}
