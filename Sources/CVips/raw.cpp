#include "CVipsHeader.h"
#include "RawFile.hpp"

#include <cstdio>
#include <cstring>
#include <new>

int photostream_raw_read(int descriptor, photostream_raw *raw) {
    std::memset(raw, 0, sizeof *raw);
    try {
        return withRawHeader<LibRaw>(descriptor, [raw](int code, const LibRaw &reader) {
            if (code != LIBRAW_SUCCESS) return code;
            const libraw_data_t &data = reader.imgdata;
            raw->width = data.sizes.width;
            raw->height = data.sizes.height;
            raw->flip = data.sizes.flip;
            raw->seconds = data.other.timestamp;
            std::snprintf(raw->make, sizeof raw->make, "%s", data.idata.make);
            std::snprintf(raw->model, sizeof raw->model, "%s", data.idata.model);
            std::snprintf(raw->description, sizeof raw->description, "%s", data.other.desc);
            return code;
        });
    } catch (const std::bad_alloc &) {
        return LIBRAW_UNSUFFICIENT_MEMORY;
    } catch (...) {
        return LIBRAW_IO_ERROR;
    }
}
