#ifndef PHOTOSTREAM_VIPS_H
#define PHOTOSTREAM_VIPS_H

#include "CVipsHeader.h"
#include "CVipsPixels.h"
#include "CVipsProcess.h"

/// Starts libvips for a process that decodes one picture at a time. Returns 0, or -1 if it cannot be started.
///
/// Only the loaders of photos are open: JPEG, PNG, GIF, WebP, TIFF, HEIF. Nothing is written to standard error. Call it
/// once, before any other function of this module.
int photostream_vips_start(const char *name);

#endif
