/* Finding a conduit by its name, or the best one for this host: compiled in, or in a module (load.c). */
#include "conduit/find.h"

#include "base/fatal.h"
#include "base/settings.h"
#include "conduit/conduits.h"
#include "conduit/interfaces.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- conditions ---- */

static bool always(void) { return true; }
static bool only_when_named(void) { return false; }

/* Returns true if there is a network that only libfabric reaches, or if the user has set libfabric's variable
 * FI_PROVIDER.  Over Ethernet plain sockets are faster, and start at once (docs/performance.md). */
static bool has_network_for_libfabric(void) {
    const char *provider = getenv("FI_PROVIDER");
    return (provider && *provider) || mer_network_card();
}

/* ---- the table ---- */

#define COMPILED_IN(name) &mer_conduit_##name
#define MODULE(name) NULL
#define ROW(name, kind, condition, ...) {#name, kind(name), condition},

static const struct row {
    const char *name;
    const struct mer_conduit *compiled_in; /* null if it is a module */
    bool (*condition)(void);
} rows[] = {MER_CONDUITS(ROW)};

#define ROWS (sizeof rows / sizeof *rows)

static bool must_encrypt(void) { return mer_setting_early(MER_SETTING_ENCRYPT); }

static const struct mer_conduit *best(void) {
    const char *why;
    for (size_t i = 0; i < ROWS; i++) {
        bool encrypts = rows[i].compiled_in && rows[i].compiled_in->encrypts; /* no module does */
        if (!rows[i].condition() || (must_encrypt() && !encrypts))
            continue;
        if (rows[i].compiled_in)
            return rows[i].compiled_in;
        const struct mer_conduit *module = mer_conduit_load ? mer_conduit_load(rows[i].name, &why) : NULL;
        if (module)
            return module;
    }
    mer_fatal_job("no conduit works with the networks of this host; set MERIDIAN_CONDUIT");
}

static const struct mer_conduit *named(const char *name) {
    const char *why;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].compiled_in && strcmp(name, rows[i].name) == 0)
            return rows[i].compiled_in;
    if (strchr(name, '/'))
        mer_fatal_job("MERIDIAN_CONDUIT is `%s', but has to be the name of a conduit, such as `ofi' or `tcp'",
                      name);
    if (!mer_conduit_load)
        mer_fatal_job("conduit `%s': a program linked with -static cannot load a module; link the program "
                      "without -static, or set MERIDIAN_CONDUIT=tcp",
                      name);
    const struct mer_conduit *conduit = mer_conduit_load(name, &why);
    if (!conduit)
        mer_fatal_job("conduit `%s' cannot be loaded: %s. Set MERIDIAN_CONDUIT=tcp to use tcp instead, or "
                      "see `meridian doctor'",
                      name, why);
    return conduit;
}

const struct mer_conduit *mer_conduit_find(const char *name) {
    if (!name || !*name)
        return best();
    const struct mer_conduit *conduit = named(name);
    if (must_encrypt() && !conduit->encrypts)
        mer_fatal_job("MERIDIAN_ENCRYPT=1: the conduit `%s' does not encrypt; set MERIDIAN_CONDUIT=tcp",
                      name);
    return conduit;
}
