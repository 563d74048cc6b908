/* Loading the module of a conduit when the program starts, so that a program needs no network library where
 * it does not talk to other hosts, and takes each site's own.
 *
 * A file of its own, because programs that are linked with -static are to do without dlopen(3), which would
 * look for shared libraries at run time: find.c refers to it weakly, and whoever links a program otherwise
 * asks for it (-u mer_conduit_load).
 */
#include "conduit/find.h"

#include "core/message.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where `meridian' stood when the program was linked (core/relaunch.c). */
extern const char mer_launcher_path[] __attribute__((weak));

static char tried[2048]; /* the loader's words about each place, for the message */

/* The module at this path; null: it cannot be loaded, and `tried' says why. */
static struct mer_conduit *load(const char *path, const char *name) {
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        size_t n = strlen(tried);
        snprintf(tried + n, sizeof tried - n, "%s%s", n ? "; " : "", dlerror());
        return NULL;
    }
    struct mer_conduit *(*entry)(void);
    *(void **)&entry = dlsym(module, "mer_conduit_module");
    struct mer_conduit *conduit = entry ? entry() : NULL;
    if (!conduit)
        mer_fatal_job("%s is no module of a conduit: it has no mer_conduit_module", path);
    if (conduit->abi != MER_CONDUIT_ABI)
        mer_fatal_job("%s belongs to another version of Meridian (its conduits' ABI is %u, here it is %d); "
                      "build and install both together",
                      path, conduit->abi, MER_CONDUIT_ABI);
    if (strcmp(conduit->name, name) != 0)
        mer_fatal_job("%s holds the conduit `%s', not `%s'", path, conduit->name, name);
    return conduit;
}

struct mer_conduit *mer_conduit_load(const char *name, const char **why) {
    static const char *const libraries[] = {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"};
    char path[PATH_MAX];
    const char *modules = getenv("MERIDIAN_MODULES");
    tried[0] = 0;
    *why = tried;
    if (modules && *modules) {
        snprintf(path, sizeof path, "%s/conduit-%s.so", modules, name);
        return load(path, name);
    }
    struct mer_conduit *conduit = NULL;
    const char *slash = mer_launcher_path ? strrchr(mer_launcher_path, '/') : NULL;
    for (size_t i = 0; slash && !conduit && i < sizeof libraries / sizeof *libraries; i++) {
        snprintf(path, sizeof path, "%.*s/../%s/meridian/conduit-%s.so", (int)(slash - mer_launcher_path),
                 mer_launcher_path, libraries[i], name);
        if (access(path, F_OK) == 0)
            conduit = load(path, name);
    }
    if (!conduit) {
        snprintf(path, sizeof path, "%s/conduit-%s.so", MER_MODULE_DIRECTORY, name);
        conduit = load(path, name);
    }
    return conduit;
}
