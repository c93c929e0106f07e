#include "CSQLiteTriggers.h"

int photostream_set_triggers(sqlite3 *connection, int areEnabled) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, areEnabled, (int *)0);
}
