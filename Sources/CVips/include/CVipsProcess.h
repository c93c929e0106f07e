#ifndef PHOTOSTREAM_VIPS_PROCESS_H
#define PHOTOSTREAM_VIPS_PROCESS_H

#include <stdint.h>

/// Limits this process for good: its address space, 64 descriptors, no bytes written to files, no core dumps. Signals
/// of crashes end it at once, writes to closed pipes fail. Returns 0 or a code of `errno`.
int photostream_limit_process(int64_t address_space_bytes);

/// Allows this process so many seconds of processor time from now on; `SIGXCPU` ends it after them.
int photostream_limit_processor_time(int64_t seconds);

/// Ends this process when the pipe `descriptor` has no reader left, even in the middle of a picture.
///
/// A thread waits for that. The kernel's own signal at the death of a parent is of no use here: it comes when the
/// *thread* ends that started this process. Returns 0 or a code of `errno`.
int photostream_end_with_reader(int descriptor);

#endif
