/* The jobs of test_conduit: processes that a conduit connects, and the packets that they send each other.
 *
 * Each process of a job counts as a host of its own. The processes know the conduit through conduit.h alone,
 * and each other's addresses through shared memory. A packet contains its sender, its number and its length,
 * and its bytes follow from these, so that a lost, doubled, torn or misordered packet is found.
 *
 * A failure ends the process with a message.
 */
#ifndef MER_TESTS_CONDUIT_JOB_H
#define MER_TESTS_CONDUIT_JOB_H

#include "conduit/conduit.h"

#include <stdatomic.h>

#define MOST 16           /* processes of a job */
#define SPAN (64ul << 20) /* bytes of memory that others may name */
#define LIMIT_SECONDS 240 /* for a trial */

/* Exit codes: of a process that was told of the death that it waits for, and of one that failed. */
enum { LOST = 42, FAILED = 97 };

/* The memory that the processes of a trial share. */
struct shared {
    struct mer_conduit_address addresses[MOST];
    atomic_int arrived, generation; /* of the barrier */
    atomic_int flags[MOST];         /* the trial's own, 0 when it begins; as are the counts */
    atomic_long counts[MOST];
};

extern struct shared *shared;
extern const struct mer_conduit *conduit;
extern struct mer_conduit_endpoint *endpoint; /* this process's, between connect and close */
extern int threads, me;                       /* the number of processes, and of this one */
extern unsigned char *memory_of_me;           /* SPAN bytes that the others may name */

extern long received[MOST]; /* packets, by sender */
extern uint32_t sent[MOST]; /* packets, by receiver */
extern bool lost_expected;  /* the last process dies in this trial, and this one ends with LOST when told */
extern void (*on_packet)(int from, const void *packet, size_t length); /* a trial's own; may be null */

void nap(long milliseconds);

/* Tries to send the next packet to `to', in `nparts' parts. Returns false if there is no capacity now. */
bool try_send(int to, size_t length, int nparts);

/* Try until the next packet is sent, and until `count' packets in all have come from `from'. Both poll. */
void send_it(int to, size_t length, int nparts);
void receive_until(int from, long count);

/* A barrier of the processes; an open conduit is polled, as by a runtime that waits. */
void meet(void);

/* To be called once, before all jobs: the conduit, the only trial to run (null: all), and the seconds of
 * silence after which a process that may die is given up. */
void conduit_jobs(const char *conduit_name, const char *only, int silence_of_death);

/* Runs a trial as n processes, between connect and close. Each has to end with this exit code; if the code is
 * LOST, the last process has to die. Without `last_barrier' each closes as soon as its own part of the trial
 * has ended. */
void conduit_job(const char *name, int n, void (*trial)(void), int code, bool last_barrier);

/* Runs a trial that opens several endpoints, in one process. */
void conduit_in_one_process(const char *name, void (*trial)(const struct mer_conduit *));

/* Returns true if any trial has run. */
bool conduit_any_ran(void);

#endif
