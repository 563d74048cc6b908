/* Loading of modules (load.c), for find.c, channel.c and the layers above. */
#ifndef MER_CONDUIT_FIND_H
#define MER_CONDUIT_FIND_H

#include "conduit/conduit.h"

/* Loads the module conduit-NAME.so and returns its conduit.  Returns null if the module cannot be loaded;
 * *why is then the reason.  Ends the job with a message if the file is no module of this version.  The
 * function is missing (null) in programs that are linked with -static. */
const struct mer_conduit *mer_conduit_load(const char *name, const char **why) __attribute__((weak));

/* Opens the module of this file name in the library's directory.  Returns null if that fails; *why is then
 * the reason.  The function is missing (null) in programs that are linked with -static. */
void *mer_module_open(const char *file, const char **why) __attribute__((weak));

#endif
