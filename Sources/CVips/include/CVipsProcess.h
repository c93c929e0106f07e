#ifndef PHOTOSTREAM_VIPS_PROCESS_H
#define PHOTOSTREAM_VIPS_PROCESS_H

#include <stdint.h>

/// Limits this process and its children for good: its address space, 64 descriptors, no bytes written to files, no core
/// dumps, no sockets, no new rights. Signals of crashes end it at once, writes to closed pipes fail. Returns 0 or a code
/// of `errno`.
int photostream_limit_process(int64_t address_space_bytes);

/// Allows this process so many seconds of processor time from now on; `SIGXCPU` ends it after them.
int photostream_limit_processor_time(int64_t seconds);

/// Ends this process when the pipe `descriptor` has no reader left, even in the middle of a picture.
///
/// A thread waits for that. The kernel's own signal at the death of a parent is of no use here: it comes when the
/// *thread* ends that started this process. Returns 0 or a code of `errno`.
int photostream_end_with_reader(int descriptor);

/// A program that this process has started.
typedef struct photostream_child {
    int process;
    /// The ends of the pipes to its standard input, and from its standard output.
    int input, output;
} photostream_child;

/// Starts a program that ends with this process.
///
/// It has this process' limits, an address space of its own limit, and no descriptor but pipes; its standard error is
/// discarded. `arguments` and `environment` end with a null pointer. Call it on the main thread: the program ends with
/// the thread that started it. Returns 0 or a code of `errno`.
int photostream_start_child(
    const char *path, char *const arguments[], char *const environment[], int64_t address_space_bytes,
    photostream_child *child);

/// Allows a child so many seconds of processor time from now on. Returns 0 or a code of `errno`.
int photostream_limit_child(int process, int64_t seconds);

/// Kills a child, waits for its end and closes its pipes. Returns its status if it had ended by itself, 127 if the
/// program could not be run, else -1.
int photostream_end_child(photostream_child *child);

#endif
