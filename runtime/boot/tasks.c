/* Tasks that a launcher has started without an interface by which they find each other.
 *
 * Each would be a job of one thread, without a message.  The launcher's variables show that there are
 * several.  Only variables that it sets for each started task count: those in a batch script are also set for
 * a single task.
 */
#include "boot/tasks.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <unistd.h>

static const struct launcher {
    const char *count, *rank; /* variables: how many tasks there are, and this one's number */
    const char *name;
    const char *mend;
} launchers[] = {
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun",
     "name one: `srun --mpi=pmi2' or `srun --mpi=pmix' (`srun --mpi=list' lists them)"},
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun",
     "version 4 and later offer PMIx; `meridian doctor' lists the missing parts"},
    {"PMI_SIZE", "PMI_RANK", "mpiexec",
     "PMI_FD or PMI_PORT of mpiexec has to reach the program: put no other program in between that drops "
     "these variables"},
};

static int number(const char *name) {
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

void mer_boot_refuse_tasks(void) {
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *l = &launchers[i];
        int count = number(l->count);
        if (count <= 1)
            continue;
        if (number(l->rank) > 0)
            _exit(EXIT_FAILURE); /* the first task prints the message */
        mer_fatal_job("%s has started %d tasks (%s), but offers no PMI that joins them to one job: %s. Or "
                      "start the job with `meridian run', and jobs of one thread with `meridian run -n 1'",
                      l->name, count, l->count, l->mend);
    }
    if (number("PBS_TASKNUM") > 1) /* the batch script is task 1; the number of tasks is not known */
        mer_fatal_job("PBS has started this program as task %d (PBS_TASKNUM), but offers no PMI that joins "
                      "tasks to one job: start the job with `meridian run', which takes the hosts from PBS, "
                      "and jobs of one thread with `meridian run -n 1'",
                      number("PBS_TASKNUM"));
}
