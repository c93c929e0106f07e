#ifndef PHOTOSTREAM_SQLITE_TRIGGERS_H
#define PHOTOSTREAM_SQLITE_TRIGGERS_H

#include <sqlite3.h>

/// Switches the triggers of one connection off or on, for statements that it starts from now on.
///
/// Swift cannot call `sqlite3_db_config`, which takes any number of arguments. The file and other connections notice
/// nothing. Returns an SQLite result code.
int photostream_set_triggers(sqlite3 *connection, int areEnabled);

#endif
