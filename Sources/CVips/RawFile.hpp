#ifndef PHOTOSTREAM_RAW_FILE_HPP
#define PHOTOSTREAM_RAW_FILE_HPP

#include <libraw/libraw.h>

#include <cstdio>
#include <memory>
#include <string>

/// A raw file that libraw reads a bounded number of times.
///
/// Damaged headers have libraw go back and read the same boxes again for minutes; those of cameras need some ten thousand
/// steps. libraw answers the exception that ends it with a code of its own.
class RawFile : public LibRaw_bigfile_datastream {
public:
    /// Opens the very file that a descriptor holds, whatever has become of its path: libraw's streams take a path or all
    /// bytes. All bytes would be up to 200 MB to read for a header of a few hundred, and a mapping of them would end the
    /// process when another one cuts the file off.
    explicit RawFile(int descriptor) : LibRaw_bigfile_datastream(path(descriptor).c_str()) {}

    int read(void *bytes, size_t size, size_t count) override {
        step();
        return LibRaw_bigfile_datastream::read(bytes, size, count);
    }

    int seek(INT64 place, int origin) override {
        step();
        return LibRaw_bigfile_datastream::seek(place, origin);
    }

    int get_char() override {
        step();
        return LibRaw_bigfile_datastream::get_char();
    }

    char *gets(char *line, int size) override {
        step();
        return LibRaw_bigfile_datastream::gets(line, size);
    }

    int scanf_one(const char *format, void *value) override {
        step();
        return LibRaw_bigfile_datastream::scanf_one(format, value);
    }

private:
    int left = 1 << 19;

    void step() {
        if (left-- <= 0) throw LIBRAW_EXCEPTION_IO_CORRUPT;
    }

    static std::string path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }
};

/// Reads the header of a raw file and calls `body` with the code of libraw and the reader, of type `Reader`.
template <typename Reader, typename Body> auto withRawHeader(int descriptor, Body body) {
    RawFile file(descriptor);
    // Too large for the stack of a thread; it ends before its file.
    auto reader = std::make_unique<Reader>();
    reader->set_dataerror_handler(nullptr, nullptr);
    int code = reader->open_datastream(&file);
    return body(code, *reader);
}

#endif
