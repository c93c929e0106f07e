#ifndef PHOTOSTREAM_OPEN_BENEATH_H
#define PHOTOSTREAM_OPEN_BENEATH_H

/// Opens a folder by a path without symbolic links, to open files beneath it; nothing can be read from it.
///
/// Swift cannot call `syscall`, which takes any number of arguments. Returns a descriptor that the caller closes, or a
/// code of `errno` as a negative number: `ELOOP` if a part of the path has become a link, `EOPNOTSUPP` for a folder of
/// a file system that shows the kernel (such as that of `/proc` or `/sys`), `ENOSYS` if the system has no such call.
int photostream_open_folder(const char *path);

/// Opens a file beneath a folder for reading, by the kernel's own check.
///
/// Neither `..` nor a link leads out of the folder, whoever renames what meanwhile: the answer is `EXDEV` then. Links
/// that stay inside are followed, those of `/proc` never (`ELOOP`). A pipe or a device is opened without waiting, and a
/// file that shows the kernel not at all (`EOPNOTSUPP`), wherever its file system is mounted.
/// Returns a descriptor that the caller closes, or a code of `errno` as a negative number.
int photostream_open_beneath(int folder, const char *path);

/// Whether a folder is the top of a mounted file system: 1 or 0, or a code of `errno` as a negative number.
///
/// Before Linux 5.8 the kernel does not report it, and the result is 0.
int photostream_is_mount_root(const char *path);

/// Opens a folder by a path without symbolic links, to list it, to put files into it and to flush it to the disk.
///
/// Returns a descriptor that the caller closes, or a code of `errno` as a negative number.
int photostream_open_folder_for_writing(const char *path);

/// Creates a file in a folder, for reading and writing; whatever has the name already, a link too, is an error (`EEXIST`).
///
/// Returns a descriptor that the caller closes, or a code of `errno` as a negative number.
int photostream_create_beneath(int folder, const char *name);

/// Renames a file in a folder to a name that nothing has, in one step: `EEXIST` if something has it, a link too.
///
/// Returns 0, or a code of `errno` as a negative number.
int photostream_rename_to_new(int folder, const char *name, const char *new_name);

#endif
