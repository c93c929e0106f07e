#define _GNU_SOURCE

#include "CVips.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <stdlib.h>
#include <vips/vips.h>

static void drop_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer context) {
    (void)domain, (void)level, (void)message, (void)context;
}

static GLogWriterOutput drop_structured(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer context) {
    (void)level, (void)fields, (void)count, (void)context;
    return G_LOG_WRITER_HANDLED;
}

/// Loads the one module that is needed. It stays loaded: GLib's types cannot go away.
static void load_heif(void) {
    // The address in the library: that of the expression `vips_init` may be a stub of this program.
    void *start = dlsym(RTLD_DEFAULT, "vips_init");
    Dl_info info;
    if (!start || !dladdr(start, &info) || !info.dli_fname) return;
    char *folder = g_path_get_dirname(info.dli_fname);
    char *path = g_strdup_printf(
        "%s/vips-modules-%d.%d/vips-heif." G_MODULE_SUFFIX, folder, VIPS_MAJOR_VERSION, VIPS_MINOR_VERSION);
    // Where libvips was built without modules, there is no such file, and the loader is in the library.
    GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
    if (module) g_module_make_resident(module);
    g_free(path);
    g_free(folder);
}

int photostream_vips_start(const char *name) {
    g_log_set_default_handler(drop_message, NULL);
    g_log_set_writer_func(drop_structured, NULL, NULL);
    // libvips looks for its modules beneath this folder and loads all of them: ImageMagick, poppler, OpenSlide.
    setenv("VIPSHOME", "/nonexistent", 1);
    // libraw counts the seconds of a camera's clock by the zone of this process.
    setenv("TZ", "UTC0", 1);
    int result = VIPS_INIT(name);
    unsetenv("VIPSHOME");
    if (result) return -1;
    load_heif();
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_cache_set_max_mem(0);
    vips_cache_set_max_files(0);
    vips_block_untrusted_set(TRUE);
    static const char *const loaders[] = {
        "VipsForeignLoadJpeg", "VipsForeignLoadPng",  "VipsForeignLoadNsgif",
        "VipsForeignLoadWebp", "VipsForeignLoadTiff", "VipsForeignLoadHeif",
    };
    vips_operation_block_set("VipsForeignLoad", TRUE);
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++) vips_operation_block_set(loaders[i], FALSE);
    return 0;
}
