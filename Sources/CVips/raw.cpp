#include "CVipsHeader.h"
#include "RawFile.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

int photostream_raw_read(int descriptor, photostream_raw *raw) {
    std::memset(raw, 0, sizeof *raw);
    try {
        RawFile file(descriptor);
        // Too large for the stack of a thread; it ends before its file.
        auto reader = std::make_unique<LibRaw>();
        reader->set_dataerror_handler(nullptr, nullptr);
        int result = reader->open_datastream(&file);
        if (result != LIBRAW_SUCCESS) return result;
        const libraw_data_t &data = reader->imgdata;
        raw->width = data.sizes.width;
        raw->height = data.sizes.height;
        raw->flip = data.sizes.flip;
        raw->seconds = data.other.timestamp;
        std::snprintf(raw->make, sizeof raw->make, "%s", data.idata.make);
        std::snprintf(raw->model, sizeof raw->model, "%s", data.idata.model);
        std::snprintf(raw->description, sizeof raw->description, "%s", data.other.desc);
        return result;
    } catch (const std::bad_alloc &) {
        return LIBRAW_UNSUFFICIENT_MEMORY;
    } catch (...) {
        return LIBRAW_IO_ERROR;
    }
}
