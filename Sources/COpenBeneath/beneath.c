#define _GNU_SOURCE

#include "COpenBeneath.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_by_kernel(int folder, const char *path, unsigned long long flags, unsigned long long resolve) {
    struct open_how how = {.flags = flags, .mode = 0, .resolve = resolve};
    long result;
    // EAGAIN: something was renamed while the kernel walked the path, so it cannot tell where it is.
    int attempts = 16;
    do {
        result = syscall(SYS_openat2, folder, path, &how, sizeof how);
    } while (result < 0 && (errno == EINTR || (errno == EAGAIN && --attempts > 0)));
    return result < 0 ? -errno : (int)result;
}

int photostream_open_folder(const char *path) {
    return open_by_kernel(
        AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int photostream_open_beneath(int folder, const char *path) {
    return open_by_kernel(
        folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
}

#else

int photostream_open_folder(const char *path) {
    (void)path;
    return -ENOSYS;
}

int photostream_open_beneath(int folder, const char *path) {
    (void)folder;
    (void)path;
    return -ENOSYS;
}

#endif
