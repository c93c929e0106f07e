#include "CSQLiteSnapshot.h"

#include <string.h>

int photostream_read_snapshot(sqlite3 *connection, unsigned char snapshot[photostream_snapshot_size]) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file) return 0;
    const sqlite3_io_methods *methods = file->pMethods;
    if (!methods || methods->iVersion < 2 || !methods->xShmMap || !methods->xShmBarrier) return 0;
    // The index comes in regions of 32 KiB. The first is mapped since the connection's first transaction.
    void volatile *region = 0;
    if (methods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || !region) return 0;
    // The header stands there twice; who writes it writes the second one first.
    const unsigned char *header = (const unsigned char *)region;
    unsigned char second[photostream_snapshot_size];
    memcpy(snapshot, header, photostream_snapshot_size);
    methods->xShmBarrier(file);
    memcpy(second, header + photostream_snapshot_size, photostream_snapshot_size);
    return memcmp(snapshot, second, photostream_snapshot_size) == 0;
}
