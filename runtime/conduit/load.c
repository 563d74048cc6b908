/* Loading modules when the program starts: conduits, and services of launchers.  Thus only programs with
 * several hosts need a network library, and they use the one of each site.
 *
 * This is a file of its own because programs that are linked with -static must do without dlopen(3), which
 * would look for shared libraries at run time.  find.c refers to it weakly, and all other links ask for it
 * (-u mer_conduit_load).
 */
#include "conduit/find.h"

#include "base/fatal.h"
#include "base/settings.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of `meridian' when the program was linked (start/relaunch.c). */
extern const char mer_launcher_path[] __attribute__((weak));

/* The loader's errors for all places that it has searched, for the message.  At file scope, because callers
 * read it after mer_module_open has returned. */
static char tried[2048];

/* Load the module, and restore the signal handlers afterwards.  A library of Debian's libfabric (PSM) handles
 * SIGSEGV and others itself, and writes files in place of this program's message. */
static void *load_quietly(const char *path) {
    struct sigaction before[32];
    for (int s = 1; s < 32; s++)
        sigaction(s, NULL, &before[s]);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (int s = 1; s < 32; s++)
        sigaction(s, &before[s], NULL); /* fails for SIGKILL and SIGSTOP, as it should */
    return module;
}

/* Open the file.  Returns null if that fails; the loader's error is then in `tried'. */
static void *open_file(const char *path) {
    void *module = load_quietly(path);
    if (!module) {
        size_t n = strlen(tried);
        snprintf(tried + n, sizeof tried - n, "%s%s", n ? "; " : "", dlerror());
    }
    return module;
}

/* Returns the path of `meridian' as recorded at link.  If none was recorded (a program of C files alone), or
 * the installation has moved, returns the path of the parent process; if that is another program, no module
 * is found beside it.  Returns null if there is neither. */
static const char *launcher_path(void) {
    static char path[PATH_MAX];
    char link[32];
    if (mer_launcher_path && access(mer_launcher_path, X_OK) == 0)
        return mer_launcher_path;
    snprintf(link, sizeof link, "/proc/%d/exe", (int)getppid());
    return readlink(link, path, sizeof path - 1) > 0 ? path : NULL;
}

void *mer_module_open(const char *file, const char **why) {
    static const char *const libraries[] = {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"};
    char path[PATH_MAX];
    const char *modules = mer_setting_text(MER_SETTING_MODULES);
    tried[0] = 0;
    *why = tried;
    if (modules) {
        snprintf(path, sizeof path, "%s/%s", modules, file);
        return open_file(path);
    }
    void *module = NULL;
    const char *launcher = launcher_path(), *slash = launcher ? strrchr(launcher, '/') : NULL;
    for (size_t i = 0; slash && !module && i < sizeof libraries / sizeof *libraries; i++) {
        snprintf(path, sizeof path, "%.*s/../%s/meridian/%s", (int)(slash - launcher), launcher, libraries[i],
                 file);
        if (access(path, F_OK) == 0)
            module = open_file(path);
    }
    if (!module) {
        snprintf(path, sizeof path, "%s/%s", MER_MODULE_DIRECTORY, file);
        module = open_file(path);
    }
    return module;
}

const struct mer_conduit *mer_conduit_load(const char *name, const char **why) {
    char file[NAME_MAX];
    snprintf(file, sizeof file, "conduit-%s.so", name);
    void *module = mer_module_open(file, why);
    if (!module)
        return NULL;
    const struct mer_conduit *(*entry)(void);
    *(void **)&entry = dlsym(module, "mer_conduit_module");
    const struct mer_conduit *conduit = entry ? entry() : NULL;
    if (!conduit)
        mer_fatal_job("%s is not a module of a conduit: the function mer_conduit_module is missing", file);
    if (conduit->abi != MER_CONDUIT_ABI)
        mer_fatal_job("%s belongs to another version of Meridian (conduit ABI %u instead of %d); install "
                      "both from one build",
                      file, conduit->abi, MER_CONDUIT_ABI);
    if (strcmp(conduit->name, name) != 0)
        mer_fatal_job("%s holds the conduit `%s', not `%s'", file, conduit->name, name);
    return conduit;
}
