/* The barrier statements, and the barrier inside collectives.
 *
 * There is one barrier for each job.  upc_notify, upc_wait and upc_barrier (mer_notify, mer_wait, mer_barrier
 * in abi.h), the barriers at start-up and termination, and those that collective library calls need all use
 * it.  So it detects threads that are in different operations: a thread at its end and one in upc_barrier, a
 * collective and a barrier or another collective, or different values (UPC 6.6.1).
 */
#ifndef MER_SYNC_BARRIER_H
#define MER_SYNC_BARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A full barrier of all threads inside the collective call `name' (a string literal: "upc_all_alloc").  A
 * call between upc_notify and upc_wait ends the job with a message (6.6.1.2).  Strict on both sides. */
void mer_barrier_collective(const char *name);

/* Tells the next of the functions here that its caller itself compares the calls of the other threads: it
 * accepts threads in other calls that do so too. */
void mer_barrier_compared(void);

/* Like mer_barrier_collective, but every thread leaves a value that the others may read until they enter the
 * next barrier.  mer_barrier_payload(t) returns thread t's value of the last completed barrier. */
void mer_barrier_exchange(const char *name, uint64_t mine);
uint64_t mer_barrier_payload(int thread);

/* Like mer_barrier_collective, but every thread leaves n <= mer_barrier_allgather_most() bytes, each with its
 * own n, that all may read until they enter the next barrier.  mer_barrier_gathered(t) returns the address of
 * thread t's bytes, aligned to 64.  The allgather costs no more crossings of the network than a barrier. */
void mer_barrier_allgather(const char *name, const void *mine, size_t n);
const void *mer_barrier_gathered(int thread);
/* Like mer_barrier_allgather, for bytes that a thread has read from its own memory after all threads of its
 * host have entered (mer_barrier_host), but perhaps before those of other hosts.  Returns true on every
 * thread if no thread has written to another host's memory since the previous barrier, so that these bytes
 * were there when all threads had entered.  Otherwise returns false on every thread: read again, and call
 * mer_barrier_allgather. */
bool mer_barrier_allgather_early(const char *name, const void *mine, size_t n);
size_t mer_barrier_allgather_most(void);
/* Returns true if the allgather is faster than a fetch by each thread that needs the n bytes of another.  If
 * not all threads need them, it is for up to MER_ALLGATHER_FEW bytes. */
#define MER_ALLGATHER_FEW 1024
bool mer_barrier_allgather_pays(size_t n, bool all_need_them);

/* A barrier of this host's threads among themselves, inside the collective call `name'. */
void mer_barrier_host(const char *name);

/* On one host only (mer_job.has_remote is 0).  Like mer_barrier_collective, but between the arrival of the
 * last thread and the return of the first, one thread calls work(context): the one that comes last, or
 * `lead'.  All threads must pass the same arguments. */
void mer_barrier_act(const char *name, int lead, void (*work)(void *context), void *context);

/* Returns true if the thread has entered a barrier that this thread has not entered.  (For a thread on
 * another host: once all threads of that host have.)  It then does nothing else before this thread has
 * entered the barrier too. */
bool mer_barrier_entered(int thread);

/* Returns true if threads wait on this word in the barrier. */
bool mer_barrier_owns(const void *word);

/* Ends the job with a message if this thread is between upc_notify and upc_wait: for collectives that use no
 * barrier. */
void mer_barrier_check_outside(const char *name);

/* Print on standard error the threads that have not come to the barrier in which this thread waits. */
void mer_barrier_describe_wait(const char *what);

/* Start-up: mer_hosts is known, and no message of another host has been handled yet. */
void mer_barrier_open(void);
/* Start-up: first barrier, before the number of cores is known. */
void mer_barrier_start(void);
/* Start-up: choose the algorithm, the same on all threads, once mer_here.cores is known. */
void mer_barrier_configure(void);
/* Termination: the barrier that user code cannot express (6.6.1.9). */
void mer_barrier_finish(void);

#endif
