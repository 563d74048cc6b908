/* Finding this process's place in the job, before anything is shared: its thread, the threads of this host,
 * and a way to give all others a few bytes before a conduit is open.
 *
 * There are several ways in which a process becomes a thread, each a file of this folder:
 *
 *   launched   `meridian run', on one host or (-H) on several, has put the place into the environment
 *   pmix, pmi2, pmi1   mpirun, srun, mpiexec.hydra: the processes find each other by their launcher's
 *                      service, and those of a host share memory files that one of them, its leader, makes
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
    const char *host_name;     /* the user's name for this host, or null: gethostname's */
    int memory_fd, control_fd; /* of this host */
    pid_t launcher;            /* its death ends this process; 0 if there is none */
    /* Give n bytes, and get the bytes of all threads in the order of their numbers into `all', threads * n
     * bytes.  Collective; all give the same n.  Null under `meridian run' on one host.  Ends the job with a
     * message if a process is lost. */
    void (*exchange)(const void *mine, size_t n, void *all);
    /* Tell the launcher that this process ends the whole job with this exit code; may return.  May be null.
     */
    void (*abort)(int code);
};

/* Fill in the place of this process.  Returns false if no launcher has started it as a part of a job; then
 * only `threads' is set, to MERIDIAN_THREADS or to 0.  The variables that gave the place are removed from the
 * environment.  Ends the job with a message if they contradict each other. */
bool mer_boot_find(struct mer_boot *boot);

#endif
