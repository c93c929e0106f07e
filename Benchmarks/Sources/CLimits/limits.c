#include "limits.h"

#include <math.h>

void limit_extents(const uint64_t *words, int64_t count, double width, uint32_t *extents) {
    const uint64_t mask = (1u << 20) - 1;
    for (int64_t index = 0; index < count; index++) {
        double item_width = (double)(int32_t)(words[index] & mask);
        double item_height = (double)(int32_t)(words[index] >> 20 & mask);
        extents[index] = (uint32_t)(int32_t)(width * item_height / item_width + 0.5);
    }
}

uint64_t limit_masonry_search(const uint32_t *extents, int64_t count, uint32_t spacing, uint32_t *numbers) {
    uint64_t fronts[4] = {0, 0, 0, 0};
    for (int64_t index = 0; index < count; index++) {
        int shortest = 0;
        for (int column = 1; column < 4; column++) {
            if (fronts[column] < fronts[shortest]) shortest = column;
        }
        numbers[index] = (uint32_t)(fronts[shortest] << 2 | (uint64_t)shortest);
        fronts[shortest] += extents[index] + spacing;
    }
    uint64_t lowest = 0;
    for (int column = 0; column < 4; column++) lowest = fronts[column] > lowest ? fronts[column] : lowest;
    return lowest;
}

static inline uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t greater(uint64_t a, uint64_t b) { return a < b ? b : a; }

uint64_t limit_masonry_network(const uint32_t *extents, int64_t count, uint32_t spacing, uint32_t *numbers) {
    uint64_t a = 0, b = 1, c = 2, d = 3;
    for (int64_t index = 0; index < count; index++) {
        numbers[index] = (uint32_t)a;
        uint64_t key = a + ((uint64_t)(extents[index] + spacing) << 2);
        a = lesser(key, b);
        key = greater(key, b);
        b = lesser(key, c);
        key = greater(key, c);
        c = lesser(key, d);
        d = greater(key, d);
    }
    return d >> 2;
}
