/* Finding a conduit by its name: compiled in, or in a module (load.c). */
#include "conduit/find.h"

#include "conduit/interfaces.h"
#include "base/fatal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct mer_conduit *const compiled_in[] = {&mer_conduit_tcp};

/* Is there a network that only libfabric reaches, or does the user speak to libfabric?  Over Ethernet the
 * plain sockets are faster, and start at once (docs/performance.md). */
static bool is_for_libfabric(void) {
    const char *provider = getenv("FI_PROVIDER");
    return (provider && *provider) || mer_network_card();
}

const struct mer_conduit *mer_conduit_find(const char *name) {
    const char *why;
    if (!name || !*name) {
        const struct mer_conduit *best = mer_conduit_load && is_for_libfabric()
                                             ? mer_conduit_load("ofi", &why)
                                             : NULL;
        return best ? best : &mer_conduit_tcp;
    }
    for (size_t i = 0; i < sizeof compiled_in / sizeof *compiled_in; i++)
        if (strcmp(name, compiled_in[i]->name) == 0)
            return compiled_in[i];
    if (strchr(name, '/'))
        mer_fatal_job("MERIDIAN_CONDUIT is `%s': that is no name of a conduit, such as `ofi' or `tcp'", name);
    if (!mer_conduit_load)
        mer_fatal_job("conduit `%s': a program linked with -static can load no module; link it without "
                      "-static, or set MERIDIAN_CONDUIT=tcp",
                      name);
    const struct mer_conduit *conduit = mer_conduit_load(name, &why);
    if (!conduit)
        mer_fatal_job("conduit `%s' cannot be loaded: %s. Set MERIDIAN_CONDUIT=tcp to do without, or "
                      "see `meridian doctor'",
                      name, why);
    return conduit;
}
