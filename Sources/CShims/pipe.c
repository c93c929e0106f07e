#define _GNU_SOURCE

#include "MakePipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int photostream_make_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno;
#else
    if (pipe(ends) != 0) return -errno;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}
