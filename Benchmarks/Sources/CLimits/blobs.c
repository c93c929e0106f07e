#include <sqlite3.h>

#include "limits.h"

int64_t limit_read_blobs(const char *path, const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    int64_t bytes = -1;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, 0) == SQLITE_OK
        && sqlite3_exec(database, "PRAGMA mmap_size = 268435456", 0, 0, 0) == SQLITE_OK
        && sqlite3_prepare_v2(database, sql, -1, &statement, 0) == SQLITE_OK) {
        bytes = 0;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            if (sqlite3_column_blob(statement, 0)) bytes += sqlite3_column_bytes(statement, 0);
        }
        sqlite3_finalize(statement);
    }
    sqlite3_close(database);
    return bytes;
}
