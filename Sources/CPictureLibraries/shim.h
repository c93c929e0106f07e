#include <libexif/exif-data.h>
#include <libraw/libraw.h>
#include <vips/vips.h>
