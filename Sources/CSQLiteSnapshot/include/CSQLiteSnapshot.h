#ifndef PHOTOSTREAM_SQLITE_SNAPSHOT_H
#define PHOTOSTREAM_SQLITE_SNAPSHOT_H

#include <sqlite3.h>

/// How many bytes tell one state of a file with a write-ahead log from another.
enum { photostream_snapshot_size = 48 };

/// Reads which state of its file a connection would see if it began a transaction now: the header of the write-ahead
/// log's index, in memory that all processes share. It takes no lock and makes no call to the system.
///
/// Two calls that give the same bytes see the same state: SQLite itself compares them to know whether what it has in
/// memory still holds. Returns 1; 0 where the file has no such index, and while somebody is writing the header. The
/// connection must have read before, as GRDB does when it opens one: else SQLite makes the index now.
///
/// Source: https://www.sqlite.org/walformat.html, "WAL-Index Format".
int photostream_read_snapshot(sqlite3 *connection, unsigned char snapshot[photostream_snapshot_size]);

#endif
