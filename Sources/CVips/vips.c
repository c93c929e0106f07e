#include "CVips.h"

#include <vips/vips.h>

int photostream_vips_start(const char *name) {
    if (VIPS_INIT(name)) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_cache_set_max_mem(0);
    vips_cache_set_max_files(0);
    vips_block_untrusted_set(TRUE);
    return 0;
}
