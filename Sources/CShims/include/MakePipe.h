#ifndef PHOTOSTREAM_MAKE_PIPE_H
#define PHOTOSTREAM_MAKE_PIPE_H

/// Opens a pipe whose ends no process gets that another thread starts: the end to read from, and the end to write to.
///
/// Swift's C library does not show `pipe2`, which is not in POSIX 2017. Returns 0, or a code of `errno` as a negative number.
int photostream_make_pipe(int ends[2]);

#endif
