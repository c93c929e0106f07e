#define _GNU_SOURCE

#include "OpenBeneath.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static int open_by_kernel(
    int folder, const char *path, unsigned long long flags, unsigned long long mode, unsigned long long resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    long result;
    // EAGAIN: something was renamed while the kernel walked the path, so it cannot tell where it is.
    int attempts = 16;
    do {
        result = syscall(SYS_openat2, folder, path, &how, sizeof how);
    } while (result < 0 && (errno == EINTR || (errno == EAGAIN && --attempts > 0)));
    return result < 0 ? -errno : (int)result;
}

// The file systems whose files are views of the kernel: memory of processes, settings, devices. No picture is there, and
// reading can have effects.
static int is_view_of_kernel(int file) {
    struct statfs found;
    if (fstatfs(file, &found) < 0) return 0;
    switch ((unsigned long)found.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case BPF_FS_MAGIC:
    case EFIVARFS_MAGIC:
        return 1;
    default:
        return 0;
    }
}

// Returns the file, or closes it and returns -EOPNOTSUPP if it is a view of the kernel.
static int without_kernel(int file) {
    if (file < 0 || !is_view_of_kernel(file)) return file;
    close(file);
    return -EOPNOTSUPP;
}

int photostream_open_folder(const char *path) {
    return without_kernel(open_by_kernel(
        AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS));
}

int photostream_open_beneath(int folder, const char *path) {
    return without_kernel(open_by_kernel(
        folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS));
}

int photostream_is_mount_root(const char *path) {
    struct statx found;
    if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_TYPE, &found) < 0) return -errno;
    return (found.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) && (found.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

int photostream_open_folder_for_writing(const char *path) {
    return open_by_kernel(
        AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int photostream_create_beneath(int folder, const char *name) {
    return open_by_kernel(
        folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644,
        RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int photostream_rename_to_new(int folder, const char *name, const char *new_name) {
    if (syscall(SYS_renameat2, folder, name, folder, new_name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL) return -errno;
    // Some file systems, of networks above all, know links but not this flag. A link never replaces anything, either.
    if (linkat(folder, name, folder, new_name, 0) < 0) return -errno;
    unlinkat(folder, name, 0);
    return 0;
}

#else

int photostream_is_mount_root(const char *path) {
    (void)path;
    return 0;
}

int photostream_open_folder(const char *path) {
    (void)path;
    return -ENOSYS;
}

int photostream_open_beneath(int folder, const char *path) {
    (void)folder;
    (void)path;
    return -ENOSYS;
}

int photostream_open_folder_for_writing(const char *path) {
    (void)path;
    return -ENOSYS;
}

int photostream_create_beneath(int folder, const char *name) {
    (void)folder;
    (void)name;
    return -ENOSYS;
}

int photostream_rename_to_new(int folder, const char *name, const char *new_name) {
    (void)folder;
    (void)name;
    (void)new_name;
    return -ENOSYS;
}

#endif
