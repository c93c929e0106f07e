#include <sqlite3.h>
#include <time.h>

#include "limits.h"

static void pause_briefly(void) {
    struct timespec duration = {0, 500000};
    nanosleep(&duration, 0);
}

static int try_again(void *unused, int count) {
    pause_briefly();
    return 1;
}

static double nanoseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

double limit_longest_write_wait(const char *path, bool (*goes_on)(void *), void *context) {
    sqlite3 *database;
    double longest = -1;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, 0) == SQLITE_OK
        && sqlite3_busy_handler(database, try_again, 0) == SQLITE_OK) {
        longest = 0;
        do {
            double start = nanoseconds_now();
            if (sqlite3_exec(database, "BEGIN IMMEDIATE; ROLLBACK", 0, 0, 0) != SQLITE_OK) {
                longest = -1;
                break;
            }
            double wait = nanoseconds_now() - start;
            if (wait > longest) longest = wait;
            pause_briefly();
        } while (goes_on(context));
    }
    sqlite3_close(database);
    return longest;
}
