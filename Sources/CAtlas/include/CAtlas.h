#pragma once

#include <stddef.h>

// The content of land.bin and of places.bin, which the scripts make-land and make-places describe.
const unsigned char *photostream_land_start(void);
const unsigned char *photostream_places_start(void);
extern const size_t photostream_land_size;
extern const size_t photostream_places_size;
