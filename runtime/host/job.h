/* The job as the layers of the runtime see it: who I am, where the memory is, where the control block is.
 *
 * mer_job itself (thread number, THREADS, span) is abi.h's and is written once by start-up; what only the
 * runtime needs is in mer_here.  Both are constant after start-up and may be read without further ado.
 */
#ifndef MER_HOST_JOB_H
#define MER_HOST_JOB_H

#ifndef MER_RUNTIME
#error "runtime sources are compiled with MER_RUNTIME defined"
#endif

#include <meridian/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/control.h"

struct mer_here {
    struct mer_control *control; /* never null after start-up */
    int memory_fd;               /* the job's memory; file offset of native address a of thread t: t*span+a */
    pid_t pid;                   /* of this process: a child that user code forks is no thread */
    pid_t launcher;              /* 0: the program runs bare, with one thread */
    void (*abort)(int code);     /* has the launcher end the whole job, quietly; null: it does so by itself */
    int cores;                   /* CPUs that the job's threads may run on, together */
    bool oversubscribed;         /* more threads than cores, those of hosts that share them
                                  * included: spinning would steal the time waited for */
    bool started;                /* start-up is complete */
    bool everything;             /* the program holds a Split-C or AC unit: everything is addressable */
    char host[64];
};
extern struct mer_here mer_here;

/* True in the process that is the thread, false in a child that user code forked from it. */
bool mer_is_thread(void);

/* Is there remote memory, which takes messages?  Then locks, atomics and collectives, which otherwise work on
 * shared objects themselves, send requests to the owners. */
static inline bool mer_by_message(void) { return __builtin_expect(mer_local_limit == 0, 0); }

/* Does thread t run on this host? */
static inline bool mer_on_host(int t) { return (unsigned)(t - mer_job.here_first) < (unsigned)mer_job.here; }

/* May this process access the memory at bits by loads and stores?  With all threads on one host,
 * mer_remote_global says so; with several hosts, the spans of this host's threads are local; else its own. */
static inline bool mer_is_local(mer_u64 bits) {
    if (__builtin_expect(!mer_remote_global(bits), 1))
        return true;
    int owner = (int)mer_procof(bits);
    return mer_job.has_remote && !(bits & MER_PRIVATE) ? mer_on_host(owner) : owner == mer_job.mythread;
}

/* Where this process sees native address a of thread t. */
static inline void *mer_view(int t, uint64_t a) {
    return (void *)(uintptr_t)(MER_VIEW_BASE + (uint64_t)t * mer_job.span + a);
}

/* Mark what this thread is doing, for the launcher and for messages. */
void mer_state_set(enum mer_state state);

/* Words of each thread in the control block for the collectives: MER_COLL_THREAD_SIZE bytes, zero at start,
 * aligned to 1024; events (base/wait.h) on which others wait go here. */
static inline void *mer_coll_words(int thread) { return mer_here.control->coll[thread]; }

#endif
