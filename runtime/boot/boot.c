/* The ways in which a process becomes a thread, in the order in which they are tried.  Meridian's launcher
 * comes first, because another launcher may have started it.
 *
 * A program that a thread starts is no thread of the job, although it finds the launcher's variables in its
 * environment.  They must stay there, because MPI in the same program may need them.  So each thread leaves a
 * mark in the environment. */
#include "boot/boot.h"

#include "boot/launched.h"
#include "boot/service.h"
#include "boot/tasks.h"
#include "conduit/find.h"
#include "base/fatal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "MERIDIAN_BOOTED"

/* Returns the service of PMIx, from its module, or null if PMIx has not started this process. */
static const struct mer_service *pmix(void) {
    if (!getenv("PMIX_NAMESPACE") || !getenv("PMIX_RANK"))
        return NULL;
    if (!mer_module_open)
        mer_fatal_job(
            "a program linked with -static cannot be started by PMIx (mpirun, srun --mpi=pmix): link it "
            "without -static, or start it with `meridian run' or mpiexec.hydra");
    const char *why;
    void *module = mer_module_open("boot-pmix.so", &why);
    const struct mer_service *(*entry)(const char **) = NULL;
    if (module)
        *(void **)&entry = dlsym(module, "mer_boot_pmix");
    const struct mer_service *service = entry ? entry(&why) : NULL;
    if (!service)
        mer_fatal_job("PMIx has started this program, but cannot be used: %s. `meridian doctor' lists the "
                      "missing parts",
                      why);
    return service;
}

/* Returns true if an ancestor of this process was the thread that PMIx has started; the environment still
 * shows it. */
static bool inherited(const char *mark) {
    const char *job = getenv("PMIX_NAMESPACE"), *rank = getenv("PMIX_RANK");
    char own[512];
    if (!job || !rank)
        return false;
    snprintf(own, sizeof own, "%s.%s", job, rank);
    bool same = mark && strcmp(mark, own) == 0;
    setenv(MARK, own, 1);
    return same;
}

bool mer_boot_find(struct mer_boot *boot) {
    bool of_thread = getenv(MARK) != NULL; /* a program that a thread has started */
    bool child = inherited(getenv(MARK));
    if (mer_boot_launched(boot)) {
        setenv(MARK, "meridian run", 0);
        return true;
    }
    const struct mer_service *service = child ? NULL : pmix();
    if (!service)
        service = mer_boot_pmi();
    if (!service && !of_thread)
        mer_boot_refuse_tasks();
    if (!service)
        return false;
    setenv(MARK, service->name, 0);
    mer_boot_gather(boot, service);
    return true;
}
