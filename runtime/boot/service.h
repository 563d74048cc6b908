/* What a process-management interface gives: this process's rank, and values that others can read after the
 * next fence.  PMIx, PMI-1 and PMI-2 are each brought into this form, from which gather.c makes a
 * struct mer_boot.
 */
#ifndef MER_BOOT_SERVICE_H
#define MER_BOOT_SERVICE_H

#include "boot/boot.h"

#include <stddef.h>

/* Errors are told as a text; null: all went well. */
struct mer_service {
    const char *name; /* "PMIx": for messages */
    int rank, size;
    const char *job;   /* a name that all processes of the job know, and those of no other job */
    size_t value_most; /* bytes of the longest value, its terminating zero included */
    /* Give a value, which others can get after the next fence.  Keys are a rank's own. */
    const char *(*put)(const char *key, const char *value);
    /* Wait until all processes of the job have come to this place, or at least order the values: what another
     * process puts before its fence, `get' finds after this one. */
    const char *(*fence)(void);
    bool fence_waits; /* the first of the two */
    /* The value that `rank' has given before the last fence.  Waits for it where fences do not. */
    const char *(*get)(int rank, const char *key, char *value, size_t size);
    /* Have the launcher end all processes of the job, with this code; may return. */
    void (*abort)(int code);
    /* Tell the launcher that this process ends by itself. */
    void (*leave)(void);
};

/* Fill in the place of this process, by talking to all others.  Fatal message if that fails. */
void mer_boot_gather(struct mer_boot *boot, const struct mer_service *service);

/* The service of mpiexec.hydra and of `srun --mpi=pmi2', by the version of PMI that the launcher speaks
 * (pmi.c); null: it has not started this process.  Fatal message if it has and does not answer. */
const struct mer_service *mer_boot_pmi(void);

/* The module boot-pmix.so, which needs the library of PMIx, defines this; null: *why says why. */
const struct mer_service *mer_boot_pmix(const char **why);

#endif
