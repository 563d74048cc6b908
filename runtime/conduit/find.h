/* What find.c, load.c and boot have in common. */
#ifndef MER_CONDUIT_FIND_H
#define MER_CONDUIT_FIND_H

#include "conduit/conduit.h"

/* The conduit of the module conduit-NAME.so, loaded; null: it cannot be loaded, and *why says why.  Fatal
 * message if it is no module of this version.  Missing (null) in programs that are linked with -static. */
const struct mer_conduit *mer_conduit_load(const char *name, const char **why) __attribute__((weak));

/* The module of this file name in the library's directory, opened; null: *why says why not.  Missing (null)
 * in programs that are linked with -static. */
void *mer_module_open(const char *file, const char **why) __attribute__((weak));

#endif
