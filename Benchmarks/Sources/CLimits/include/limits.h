#ifndef PHOTOSTREAM_LIMITS_H
#define PHOTOSTREAM_LIMITS_H

#include <stdint.h>

/// Extents of pictures scaled to a column: the division and the rounding alone.
void limit_extents(const uint64_t *words, int64_t count, double width, uint32_t *extents);

/// Four columns, the shortest found by comparing all four; one number an item. Returns the lowest front.
uint64_t limit_masonry_search(const uint32_t *extents, int64_t count, uint32_t spacing, uint32_t *numbers);

/// Four columns as a sorted network of keys; one number an item. Returns the lowest front.
uint64_t limit_masonry_network(const uint32_t *extents, int64_t count, uint32_t spacing, uint32_t *numbers);

/// How often the process has called malloc.
int64_t limit_allocation_count(void);

#endif
