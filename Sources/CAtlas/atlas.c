#include "CAtlas.h"

// Swift compiles a literal of this size in minutes and gigabytes, C in a tenth of a second.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char land[] = {
#embed "land.bin"
};
const size_t photostream_land_size = sizeof land;
const unsigned char *photostream_land_start(void) { return land; }

static const unsigned char places[] = {
#embed "places.bin"
};
const size_t photostream_places_size = sizeof places;
const unsigned char *photostream_places_start(void) { return places; }
