/* The place of a process that `meridian run' has started; see launched.c. */
#ifndef MER_BOOT_LAUNCHED_H
#define MER_BOOT_LAUNCHED_H

#include "boot/boot.h"

/* As mer_boot_find, for this one way. */
bool mer_boot_launched(struct mer_boot *boot);

#endif
