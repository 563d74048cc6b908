/* The place of a process that `meridian run' has started; see launched.c. */
#ifndef MER_BOOT_LAUNCHED_H
#define MER_BOOT_LAUNCHED_H

#include "boot/boot.h"

/* Set in the environment across the exec by which a program becomes `meridian run' (start/relaunch.c).  It
 * prevents endless exec if that launcher does not launch. */
#define MER_RELAUNCH_GUARD "MERIDIAN_RELAUNCHED"

/* Like mer_boot_find, for `meridian run' alone. */
bool mer_boot_launched(struct mer_boot *boot);

#endif
