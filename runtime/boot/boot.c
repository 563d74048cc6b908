/* The ways in which a process comes to be a thread, in the order in which they are tried. */
#include "boot/boot.h"

#include "boot/launched.h"

bool mer_boot_find(struct mer_boot *boot) { return mer_boot_launched(boot); }
