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

static inline double ratio(uint64_t word) {
    const uint64_t mask = (1u << 20) - 1;
    return (double)(int32_t)(word & mask) / (double)(int32_t)(word >> 20 & mask);
}

int64_t limit_justified_greedy(
    const uint64_t *words, int64_t count, double width, double spacing, double target, double tolerance,
    uint32_t *firsts, uint32_t *heights) {
    // A line whose ratios add up to this much is as low as a line may be at once; one that passes the target is closed
    // before or behind the picture, whichever is nearer.
    int64_t lines = 0, first = 0;
    double sum = 0, left = width + spacing;
    for (int64_t index = 0; index < count; index++) {
        double next = sum + ratio(words[index]);
        left -= spacing;
        double height = left / next;
        if (height >= target * (1 + tolerance)) {
            sum = next;
            continue;
        }
        double before = sum > 0 ? (left + spacing) / sum : INFINITY;
        int takes_it = height >= target * (1 - tolerance) || fabs(height - target) <= fabs(before - target);
        firsts[lines] = (uint32_t)first;
        heights[lines] = (uint32_t)((takes_it ? height : before) + 0.5);
        lines++;
        first = takes_it ? index + 1 : index;
        sum = takes_it ? 0 : ratio(words[index]);
        left = takes_it ? width + spacing : width;
    }
    return lines;
}

int64_t limit_justified_optimal(
    const uint64_t *words, int64_t count, double width, double spacing, double target, double lowest, double highest,
    double *costs, uint32_t *firsts) {
    costs[0] = 0;
    for (int64_t end = 1; end <= count; end++) {
        double sum = 0, best = INFINITY;
        uint32_t first = (uint32_t)(end - 1);
        for (int64_t start = end - 1; start >= 0; start--) {
            sum += ratio(words[start]);
            double height = (width - spacing * (double)(end - start - 1)) / sum;
            if (height < lowest && start < end - 1) break;
            // A line that cannot be filled low enough is allowed at a price that no other line has.
            double off = height > highest ? 1e4 : height - target;
            double cost = costs[start] + off * off;
            if (cost < best) {
                best = cost;
                first = (uint32_t)start;
            }
        }
        costs[end] = best;
        firsts[end] = first;
    }
    int64_t lines = 0;
    for (int64_t end = count; end > 0; end = firsts[end]) lines++;
    return lines;
}

double limit_masonry_spans(
    const uint64_t *words, int64_t count, double width, double spacing, double wide, double tolerance,
    uint8_t *columns, double *tops) {
    double fronts[4] = {0, 0, 0, 0};
    for (int64_t index = 0; index < count; index++) {
        double item_ratio = ratio(words[index]);
        int span = item_ratio > wide ? 2 : 1;
        double windows[4], least = INFINITY;
        for (int column = 0; column + span <= 4; column++) {
            windows[column] = fronts[column];
            if (span == 2 && fronts[column + 1] > windows[column]) windows[column] = fronts[column + 1];
            if (windows[column] < least) least = windows[column];
        }
        int column = 0;
        while (windows[column] > least + tolerance) column++;
        double item_width = span == 2 ? 2 * width + spacing : width;
        double top = windows[column], end = top + (double)(int64_t)(item_width / item_ratio + 0.5) + spacing;
        for (int taken = column; taken < column + span; taken++) fronts[taken] = end;
        columns[index] = (uint8_t)column;
        tops[index] = top;
    }
    double lowest = 0;
    for (int column = 0; column < 4; column++) lowest = fronts[column] > lowest ? fronts[column] : lowest;
    return lowest - spacing;
}

int64_t limit_flow(
    const uint64_t *words, int64_t count, double height, int64_t width, int64_t spacing, uint32_t *firsts) {
    int64_t lines = 0, used = width + 1;
    for (int64_t index = 0; index < count; index++) {
        int64_t item = (int64_t)(height * ratio(words[index]) + 0.5);
        if (used + spacing + item > width) {
            firsts[lines++] = (uint32_t)index;
            used = item;
        } else {
            used += spacing + item;
        }
    }
    return lines;
}

int64_t limit_rect(
    const uint32_t *numbers, const uint64_t *words, int64_t count, double width, int64_t pitch, int64_t longest,
    int64_t top, int64_t end, struct limit_hit *hits) {
    int64_t low = 0, high = count, found = 0;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if ((int64_t)(numbers[middle] >> 2) > top - longest) high = middle; else low = middle + 1;
    }
    for (int64_t index = low; index < count; index++) {
        int64_t y = numbers[index] >> 2;
        if (y >= end) break;
        int64_t height = (int64_t)(width / ratio(words[index]) + 0.5);
        if (y + height <= top) continue;
        hits[found].index = index;
        hits[found].x = (int64_t)(numbers[index] & 3) * pitch;
        hits[found].y = y;
        hits[found].width = (int64_t)width;
        hits[found].height = height;
        found++;
    }
    return found;
}
