#include "resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Four numbers that the processor adds and multiplies at once: red, green, blue, and one without meaning.
typedef float pixel __attribute__((vector_size(16)));

/// The pixels that are added up to each pixel of the result, along one side.
typedef struct taps {
    /// The number for each.
    int count;
    /// The first of them, for each.
    int *first;
    /// Their weights, `count` for each, whose sum is 1.
    float *weights;
} taps;

static double lanczos3(double x) {
    if (fabs(x) < 1e-8) return 1;
    if (fabs(x) >= 3) return 0;
    double angle = acos(-1) * x;
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle);
}

static void free_taps(taps *taps) {
    free(taps->first);
    free(taps->weights);
}

/// Computes the weights for a side of `from` pixels that gets `to`. Beyond its ends, the last pixel is repeated.
static int make_taps(taps *taps, int from, int to) {
    double scale = (double)from / to;
    int count = (int)ceil(6 * scale);
    *taps = (struct taps){.count = count < from ? count : from};
    taps->first = malloc((size_t)to * sizeof *taps->first);
    taps->weights = calloc((size_t)to * (size_t)taps->count, sizeof *taps->weights);
    if (!taps->first || !taps->weights) return -1;
    for (int i = 0; i < to; i++) {
        double centre = (i + 0.5) * scale - 0.5, sum = 0;
        int start = (int)ceil(centre - 3 * scale), last = from - taps->count;
        int first = start < 0 ? 0 : start > last ? last : start;
        float *weights = taps->weights + (size_t)i * (size_t)taps->count;
        for (int k = 0; k < count; k++) sum += lanczos3((start + k - centre) / scale);
        for (int k = 0; k < count; k++) {
            int place = start + k < 0 ? 0 : start + k >= from ? from - 1 : start + k;
            weights[place - first] += (float)(lanczos3((start + k - centre) / scale) / sum);
        }
        taps->first[i] = first;
    }
    return 0;
}

/// Makes a row narrower. `wide` has room for the row as numbers.
static void narrow(const uint8_t *from, int from_width, const taps *across, int width, pixel *wide, pixel *to) {
    for (int x = 0; x < from_width; x++, from += 3) wide[x] = (pixel){from[0], from[1], from[2], 0};
    for (int x = 0; x < width; x++) {
        const float *weights = across->weights + (size_t)x * (size_t)across->count;
        const pixel *start = wide + across->first[x];
        pixel sum = {0, 0, 0, 0};
        for (int k = 0; k < across->count; k++) sum += start[k] * weights[k];
        to[x] = sum;
    }
}

static uint8_t rounded(float value) { return value <= 0 ? 0 : value >= 254.5f ? 255 : (uint8_t)(value + 0.5f); }

int photostream_resample(const uint8_t *from, int from_width, int from_height, uint8_t *to, int width, int height) {
    taps across = {0}, along = {0};
    int result = make_taps(&across, from_width, width) || make_taps(&along, from_height, height);
    // The narrowed rows that the next row of the result needs: each in the place of the one that is no longer needed.
    size_t rows = (size_t)along.count;
    pixel *narrowed = result ? NULL : malloc(rows * (size_t)width * sizeof *narrowed);
    pixel *wide = result ? NULL : malloc((size_t)from_width * sizeof *wide);
    const pixel **sources = result ? NULL : malloc(rows * sizeof *sources);
    if (!narrowed || !wide || !sources) result = -1;
    for (int y = 0, next = 0; !result && y < height; y++) {
        int first = along.first[y];
        for (; next < first + along.count; next++)
            narrow(from + 3 * (size_t)next * (size_t)from_width, from_width, &across, width, wide,
                   narrowed + ((size_t)next % rows) * (size_t)width);
        const float *weights = along.weights + (size_t)y * rows;
        for (size_t k = 0; k < rows; k++) sources[k] = narrowed + (((size_t)first + k) % rows) * (size_t)width;
        for (int x = 0; x < width; x++, to += 3) {
            pixel sum = {0, 0, 0, 0};
            for (size_t k = 0; k < rows; k++) sum += sources[k][x] * weights[k];
            for (int band = 0; band < 3; band++) to[band] = rounded(sum[band]);
        }
    }
    free(sources);
    free(narrowed);
    free(wide);
    free_taps(&across);
    free_taps(&along);
    return result ? -1 : 0;
}
