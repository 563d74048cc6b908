/* The job as the layers of the runtime see it: this thread, its memory and the control block.
 *
 * mer_job itself (thread number, THREADS, span) is declared in abi.h.  mer_here holds the values that only
 * the runtime needs.  Start-up writes both; they are constant afterwards and may be read without
 * synchronisation.
 */
#ifndef MER_HOST_JOB_H
#define MER_HOST_JOB_H

#ifndef MER_RUNTIME
#error "runtime sources are compiled with MER_RUNTIME defined"
#endif

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/control.h"

struct mer_here {
    struct mer_control *control; /* never null after start-up */
    int memory_fd;               /* the job's memory; file offset of native address a of thread t: t*span+a */
    pid_t pid;                   /* of this process; a child that user code forks is no thread */
    pid_t launcher;              /* 0 if the program runs without launcher, with one thread */
    void (*abort)(int code);     /* has the launcher end the job, quietly; null if it does so itself */
    int cores;                   /* CPUs that the job's threads may run on, together */
    bool oversubscribed;         /* more threads than cores, counting those of hosts that share
                                  * the cores: spinning would delay the awaited thread */
    bool started;                /* start-up is complete */
    bool everything;             /* the program holds a Split-C or AC unit: everything is addressable */
    char host[64];
};
extern struct mer_here mer_here;

/* Returns true in the process that is the thread, false in a child that user code forked from it. */
bool mer_is_thread(void);

/* Returns true if there is remote memory, which is accessed by messages.  Then locks, atomics and collectives
 * send requests to the owners; otherwise they work on shared objects themselves. */
static inline bool mer_by_message(void) { return __builtin_expect(mer_local_limit == 0, 0); }

/* Returns true if thread t runs on this host. */
static inline bool mer_on_host(int t) { return (unsigned)(t - mer_job.here_first) < (unsigned)mer_job.here; }

/* Returns true if this process may access the memory at bits by loads and stores.  If all threads are on one
 * host, mer_remote_global decides.  With several hosts, the spans of this host's threads are local; otherwise
 * only the thread's own span is. */
static inline bool mer_is_local(mer_u64 bits) {
    if (__builtin_expect(!mer_remote_global(bits), 1))
        return true;
    int owner = (int)mer_procof(bits);
    return mer_job.has_remote && !(bits & MER_PRIVATE) ? mer_on_host(owner) : owner == mer_job.mythread;
}

/* Returns the address at which this process sees native address a of thread t. */
static inline void *mer_view(int t, uint64_t a) {
    return (void *)(uintptr_t)(MER_VIEW_BASE + (uint64_t)t * mer_job.span + a);
}

/* Set this thread's state, for the launcher and for messages. */
void mer_state_set(enum mer_state state);

/* Returns the words of a thread in the control block for the collectives: MER_COLL_THREAD_SIZE bytes, zero at
 * start, aligned to 1024.  Events (base/wait.h) on which others wait are here. */
static inline void *mer_coll_words(int thread) { return mer_here.control->coll[thread]; }

#endif
