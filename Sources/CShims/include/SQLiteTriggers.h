#ifndef PHOTOSTREAM_SQLITE_TRIGGERS_H
#define PHOTOSTREAM_SQLITE_TRIGGERS_H

#include <sqlite3.h>

/// Switches the triggers of one connection off or on, for statements that it starts from now on.
///
/// Swift cannot call `sqlite3_db_config`, which takes any number of arguments. The file and other connections notice
/// nothing. Returns an SQLite result code. It is inline, so that programs without SQLite need not link it.
static inline int photostream_set_triggers(sqlite3 *connection, int areEnabled) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, areEnabled, (int *)0);
}

#endif
