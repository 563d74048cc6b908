/* The resources of this host: CPUs and memory, as far as this process may use them. */
#ifndef MER_HOST_RESOURCES_H
#define MER_HOST_RESOURCES_H

#include <stdint.h>

/* Set the bits of the CPUs that this process may run on in `cpus` (words * 64 bits), atomically, in addition
 * to those already set. */
void mer_cpus_join(uint64_t *cpus, int words);

/* Returns the number of bits set, but at most a container's CPU quota (control groups); at least 1. */
int mer_cpus_count(const uint64_t *cpus, int words);

/* Returns the memory that may still be committed: MemAvailable and free swap, or the rest of a control
 * group's limit if that is less; then *limited is set.  Returns UINT64_MAX if the system does not report
 * it. */
uint64_t mer_memory_available(int *limited);

/* Returns the committed bytes of the memory file fd. */
uint64_t mer_memory_committed(int fd);

#endif
