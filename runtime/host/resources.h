/* What this host has to give: CPUs and memory, as far as this process may use them. */
#ifndef MER_HOST_RESOURCES_H
#define MER_HOST_RESOURCES_H

#include <stdint.h>

/* Set the bits of the CPUs that this process may run on in `cpus` (words * 64 bits), atomically, beside those
 * already set. */
void mer_cpus_join(uint64_t *cpus, int words);

/* How many bits are set, but no more than a container's CPU quota (control groups) allows; at least 1. */
int mer_cpus_count(const uint64_t *cpus, int words);

/* Memory that may still be committed: MemAvailable and free swap, or what a control group leaves if that is
 * less; then *limited is set.  UINT64_MAX if the system does not say. */
uint64_t mer_memory_available(int *limited);

/* Bytes committed so far of the memory file fd. */
uint64_t mer_memory_committed(int fd);

#endif
