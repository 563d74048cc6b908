/* The common form of process-management interfaces: this process's rank, and values that others can read
 * after the next fence.  PMIx, PMI-1 and PMI-2 are each brought into this form, from which gather.c makes a
 * struct mer_boot.
 */
#ifndef MER_BOOT_SERVICE_H
#define MER_BOOT_SERVICE_H

#include "boot/boot.h"

#include <stddef.h>

/* The functions return the text of an error, or null if all went well. */
struct mer_service {
    const char *name; /* "PMIx": for messages */
    int rank, size;
    const char *job;   /* a name that all processes of this job know, and no others */
    size_t value_most; /* bytes of the longest value, its terminating zero included */
    /* Put a value, which others can get after the next fence.  Each rank has its own keys. */
    const char *(*put)(const char *key, const char *value);
    /* Wait until all processes of the job have called it, or at least order the values: `get' after this
     * fence finds the values that other processes have put before theirs. */
    const char *(*fence)(void);
    bool fence_waits; /* it does wait for all processes */
    /* Get the value that `rank' has put before the last fence.  Waits for it if fences do not wait. */
    const char *(*get)(int rank, const char *key, char *value, size_t size);
    /* Have the launcher end all processes of the job, with this code; may return. */
    void (*abort)(int code);
    /* Tell the launcher that this process ends by itself. */
    void (*leave)(void);
};

/* Fill in the place of this process, by communication with all others.  Ends the job with a message if that
 * fails. */
void mer_boot_gather(struct mer_boot *boot, const struct mer_service *service);

/* Returns the service of mpiexec.hydra and of `srun --mpi=pmi2', for the version of PMI that the launcher
 * speaks (pmi.c).  Returns null if no such launcher has started this process.  Ends the job with a message if
 * it has and does not answer. */
const struct mer_service *mer_boot_pmi(void);

/* Returns the service of PMIx, or null; *why is then the reason.  Defined in the module boot-pmix.so, which
 * needs the library of PMIx. */
const struct mer_service *mer_boot_pmix(const char **why);

#endif
