/* The barrier statements and the barrier inside of collectives.
 *
 * There is one barrier a job.  upc_notify, upc_wait and upc_barrier (mer_notify, mer_wait, mer_barrier in
 * abi.h), the barriers at start-up and termination, and those that collective library calls need all go
 * through it, so that threads which disagree on what they do next are found: a thread at its end against one
 * in upc_barrier, a collective against a barrier or another collective, values that differ (UPC 6.6.1).
 */
#ifndef MER_SYNC_BARRIER_H
#define MER_SYNC_BARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Full barrier of all threads inside the collective call `name` (a string literal: "upc_all_alloc").  A
 * call between upc_notify and upc_wait is a fatal message (6.6.1.2).  Strict on both sides. */
void mer_barrier_collective(const char *name);

/* The caller compares what the other threads call: the next of the functions here takes threads in other
 * calls that are compared so. */
void mer_barrier_compared(void);

/* The same, and every thread leaves a value that the others may read until they enter the next barrier.
 * mer_barrier_payload(t) gives thread t's of the barrier that was last completed. */
void mer_barrier_exchange(const char *name, uint64_t mine);
uint64_t mer_barrier_payload(int thread);

/* The same, and every thread leaves n <= mer_barrier_allgather_most() bytes, n its own, that all may read
 * until they enter the next barrier.  mer_barrier_gathered(t) is where thread t's are, aligned to 64.  It
 * costs no more crossings of the network than a barrier. */
void mer_barrier_allgather(const char *name, const void *mine, size_t n);
const void *mer_barrier_gathered(int thread);
/* The same for what a thread has read of its own memory after all threads of its host have entered
 * (mer_barrier_host), but perhaps before those of other hosts.  True on every thread: nobody has written to
 * another host's memory since the barrier before, so this is what stood there when all had entered.  False on
 * every thread: read again, and call mer_barrier_allgather. */
bool mer_barrier_allgather_early(const char *name, const void *mine, size_t n);
size_t mer_barrier_allgather_most(void);
/* Is the allgather faster than a fetch by each thread that needs the n bytes of another?  If not all need
 * them, up to MER_ALLGATHER_FEW bytes. */
#define MER_ALLGATHER_FEW 1024
bool mer_barrier_allgather_pays(size_t n, bool all_need_them);

/* A barrier of this host's threads among themselves, inside the collective call `name'. */
void mer_barrier_host(const char *name);

/* On one host only (mer_job.has_remote is 0).  The same as mer_barrier_collective, and between the arrival of
 * the last thread and the return of the first, one thread calls work(context): whichever comes last, or
 * `lead'.  All threads have to give the same. */
void mer_barrier_act(const char *name, int lead, void (*work)(void *context), void *context);

/* Has the thread entered a barrier that this thread has not?  (Of a thread on another host: once all of that
 * host have.)  Then it does nothing else before this thread has entered it too. */
bool mer_barrier_entered(int thread);

/* Is the word one that threads wait on in the barrier? */
bool mer_barrier_owns(const void *word);

/* A fatal message if this thread is between upc_notify and upc_wait: for collectives that use no barrier. */
void mer_barrier_check_outside(const char *name);

/* Say on standard error who has not come to the barrier in which this thread waits. */
void mer_barrier_describe_wait(const char *what);

struct mer_phase;

/* What the barrier needs of messages where memory is remote; the layers above register it. */
struct mer_barrier_messages {
    /* Give the entries of this host's threads to all other hosts (am/barrier.h). */
    void (*announce)(const struct mer_phase *p);
    /* All that this thread has written is complete (mer_remote_fence). */
    void (*complete)(void);
};

/* Start-up: mer_hosts is known, and no message of another host has been taken yet. */
void mer_barrier_open(const struct mer_barrier_messages *messages);
/* Start-up: first barrier, before the number of cores is known. */
void mer_barrier_start(void);
/* Start-up: choose the algorithm, alike on all threads, once mer_here.cores is known. */
void mer_barrier_configure(void);
/* Termination: the barrier that user code cannot express (6.6.1.9). */
void mer_barrier_finish(void);

#endif
