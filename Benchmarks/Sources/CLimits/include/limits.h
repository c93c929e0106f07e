#ifndef PHOTOSTREAM_LIMITS_H
#define PHOTOSTREAM_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/// Extents of pictures scaled to a column: the division and the rounding alone.
void limit_extents(const uint64_t *words, int64_t count, double width, uint32_t *extents);

/// Four columns, the shortest found by comparing all four; one number an item. Returns the lowest front.
uint64_t limit_masonry_search(const uint32_t *extents, int64_t count, uint32_t spacing, uint32_t *numbers);

/// Four columns as a sorted network of keys; one number an item. Returns the lowest front.
uint64_t limit_masonry_network(const uint32_t *extents, int64_t count, uint32_t spacing, uint32_t *numbers);

/// Lines of pictures whose ratios fill a width between two heights: the sum of ratios and the greedy choice alone. Writes
/// the first picture and the height of each line; returns how many lines there are.
int64_t limit_justified_greedy(
    const uint64_t *words, int64_t count, double width, double spacing, double target, double tolerance,
    uint32_t *firsts, uint32_t *heights);

/// Lines of pictures of least squared deviation from a height, between two others: for every break the best line that
/// ends there, looked for among all that may, the cost and the first picture of which are kept. The last line is like any
/// other. `costs` and `firsts` hold one more than there are pictures. Returns how many lines there are.
int64_t limit_justified_optimal(
    const uint64_t *words, int64_t count, double width, double spacing, double target, double lowest, double highest,
    double *costs, uint32_t *firsts);

/// Four columns with pictures over two where they are wider than a ratio, each at the first window of columns whose highest
/// front is at most so far below the best; all windows are looked at. Writes each picture's first column and top; returns
/// the lowest end.
double limit_masonry_spans(
    const uint64_t *words, int64_t count, double width, double spacing, double wide, double tolerance,
    uint8_t *columns, double *tops);

/// Lines of pictures of one height that keep their ratios: as many in a line as fit. Writes the first picture of each
/// line; returns how many lines there are.
int64_t limit_flow(
    const uint64_t *words, int64_t count, double height, int64_t width, int64_t spacing, uint32_t *firsts);

/// A picture that meets a rectangle.
struct limit_hit {
    int64_t index, x, y, width, height;
};

/// The pictures of a masonry of four columns that meet a range of the content, all of the width: a binary search and a
/// filter. `numbers` is what a masonry above wrote. Returns how many there are.
int64_t limit_rect(
    const uint32_t *numbers, const uint64_t *words, int64_t count, double width, int64_t pitch, int64_t longest,
    int64_t top, int64_t end, struct limit_hit *hits);

/// Reads every row of a statement, its first column as a blob, through a connection of its own. Returns how many bytes these
/// have; -1 where the file or the statement is none.
int64_t limit_read_blobs(const char *path, const char *sql);

/// Takes a file's write lock and gives it back, again and again with a pause of half a millisecond, as long as `goes_on`
/// says so. Returns how many nanoseconds it waited for the lock at most; -1 where SQLite reports an error.
double limit_longest_write_wait(const char *path, bool (*goes_on)(void *), void *context);

/// How often the process has called malloc.
int64_t limit_allocation_count(void);

#endif
