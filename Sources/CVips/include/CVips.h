#ifndef PHOTOSTREAM_VIPS_H
#define PHOTOSTREAM_VIPS_H

#include "CVipsHeader.h"

/// Starts libvips for a process that decodes one picture at a time. Returns 0, or -1 if it cannot be started.
int photostream_vips_start(const char *name);

#endif
