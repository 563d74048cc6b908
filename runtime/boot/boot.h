/* Finding this process's place in the job, before anything is shared: its thread, the threads of this host,
 * and a way to give all others a few bytes before a conduit is open.
 *
 * There are several ways in which a process becomes a thread, each a file of this folder:
 *
 *   launched   `meridian run', on one host or (-H) on several, has put it all into the environment
 *   pmix, pmi2, pmi1   mpirun, srun, mpiexec.hydra: the processes find each other by their launcher's
 *                      service, and those of a host share memory files that the first of them makes
 *
 * Threads are numbered so that those of a host follow each other: hosts in the order of their lowest rank.
 */
#ifndef MER_BOOT_BOOT_H
#define MER_BOOT_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct mer_boot {
    const char *by; /* "meridian run", "PMIx", ...: for messages */
    int thread, threads;
    int here_first, here;      /* threads here_first ... here_first + here - 1 run on this host */
    int host, hosts;           /* this host's number, from 0, and how many there are */
    const char *host_name;     /* as the user calls this host; null: gethostname's */
    int memory_fd, control_fd; /* of this host */
    pid_t launcher;            /* whose death ends this process; 0: nobody's */
    /* Give n bytes, get those of all threads in the order of their numbers: all has threads * n bytes.
     * Collective; all give the same n.  Null under `meridian run' on one host; fatal message if somebody is
     * lost. */
    void (*exchange)(const void *mine, size_t n, void *all);
    /* Tell the launcher that this process ends the whole job with this exit code; may return.  May be null.
     */
    void (*abort)(int code);
};

/* Fill in the place of this process; false: nobody launched it as a part of a job, and of boot only threads
 * is set, to the number that MERIDIAN_THREADS asks for or to 0.  The variables that told it are removed from
 * the environment.  Fatal message if they contradict each other. */
bool mer_boot_find(struct mer_boot *boot);

#endif
