/* The control block of a job: a small file of shared memory beside the job's data.
 *
 * The launcher creates it as a memfd of MER_CONTROL_SIZE zero bytes (sparse: only touched pages cost) and
 * hands it to every process as MERIDIAN_CONTROL_FD; a program started bare with one thread makes its own.
 * It holds the state that threads share outside of the shared address space: which threads run, which have
 * ended and how, and the words on which they wait.
 *
 * The launcher (crates/launch) reads and writes the head and the state array by the offsets of the contract.
 * Bytes 0 .. 36863 are the contract between it and the runtime; the bytes after them belong to the runtime
 * alone.  All words are 32 bits in the machine's byte order, and are read and written atomically.
 *
 *   offset  type  field             written by  meaning
 *   0       u32   magic             runtime     MER_CONTROL_MAGIC once a thread has started; 0 if the
 *                                               program is not a Meridian program, or died before start-up
 *   4       u32   contract          runtime     the version of the contract, by the first thread to start;
 *                                               all others have to have it too
 *   8       u32   threads           runtime     THREADS of the job
 *   12      u32   global_exit_flag  runtime     2 when upc_global_exit has been called, 1 once its code is
 *                                               known
 *   16      i32   global_exit_code  runtime     its status, valid only if the flag is 1
 *   20      u32   abort             runtime     0, MER_ABORT_PRINTING while one thread prints the job's one
 *                                               fatal message, MER_ABORT_PRINTED after (futex)
 *   24      u32   abort_thread      runtime     1 + the thread that prints or printed it
 *   28      u32   launcher_abort    launcher    may set 1 when it has begun to end the job: threads then
 *                                               print no further messages
 *   4096    u32   state[8192]       runtime     one of enum mer_state for each thread
 *
 * The launcher's reaction to the end of a process:
 *   - state REPORTED: a message was printed; say nothing, end the others, exit with its code or signal.
 *   - state GLOBAL_EXIT, or global_exit_flag 1: end the others with SIGTERM (the runtime's handler flushes
 *     their stdio while the flag is set), SIGKILL after a moment; exit with global_exit_code.
 *   - state FINISHED and exit code 0: a normal end.
 *   - state EXITING and a code other than 0: exit(code) by one thread; end the others, exit with the code.
 *   - anything else (state NONE or RUNNING): a death; name the thread, host and cause, end the others.
 * The runtime asks for SIGKILL at its parent's death (PR_SET_PDEATHSIG).  Linux sends it when the POSIX
 * thread that made the process ends, so the launcher must start processes from a POSIX thread that outlives
 * them.
 */
#ifndef MER_HOST_CONTROL_H
#define MER_HOST_CONTROL_H

#include "base/layout_check.h"

#include <assert.h>
#include <meridian/abi/contract.h>
#include <stddef.h>
#include <stdint.h>

/* Values of mer_control.state[t]. */
enum mer_state {
#define MER_STATE(name, number) MER_STATE_##name = (number),
    MER_STATES(MER_STATE)
#undef MER_STATE
};

/* Values of mer_control.global_exit_flag. */
enum {
#define MER_GLOBAL_EXIT(name, number) MER_GLOBAL_EXIT_##name = (number),
    MER_GLOBAL_EXITS(MER_GLOBAL_EXIT)
#undef MER_GLOBAL_EXIT
};

/* Values of mer_control.abort. */
enum {
#define MER_ABORT(name, number) MER_ABORT_##name = (number),
    MER_ABORTS(MER_ABORT)
#undef MER_ABORT
};

/* ---- after the contract with the launcher: for the runtime alone ------------------------------------ */

#define MER_CONTROL_CPUS 8192     /* bits in the union of the threads' CPU affinities */
#define MER_BARRIER_FAN_IN 8      /* arrivals that a node of the barrier's tree gathers */
#define MER_BARRIER_NODES 1280    /* nodes enough for 8192 threads: 1024 + 128 + 16 + 2 + 1 */
#define MER_COLL_THREAD_SIZE 1024 /* bytes of each thread for the collectives (runtime/coll) */

/* A thread's announcement in the barrier, see sync/phase.h. */
struct mer_phase_entry {
    uint64_t where; /* the RVA (base/rva.h) of the text of a source position or of a call's name */
    uint64_t payload;
    int32_t value;
    uint32_t tag;
};

struct mer_phase_slot {
    _Alignas(128) uint32_t event; /* struct mer_event, posted with the phase's number */
    uint32_t unused;
    struct mer_phase_entry entry[2]; /* by the phase's parity */
    uint32_t bytes[2];               /* by parity: length of its block in the allgather (sync/allgather.h) */
};

struct mer_phase_node {
    _Alignas(64) uint64_t arrivals;
};

/* The barrier's shared part; zero at start. */
struct mer_phase_shared {
    _Alignas(128) uint32_t release;      /* struct mer_event: posted with the release's number */
    _Alignas(128) uint64_t consensus[2]; /* by parity: 2^32 + the first value given, or 0 */
    _Alignas(128) uint32_t arrived[2];   /* by parity: threads of all hosts that have announced the phase */
    uint32_t arrived_row[2];             /* the same for this host's row of hosts (sync/announce.c) */
    struct mer_phase_node node[MER_BARRIER_NODES];
    struct mer_phase_slot slot[MER_MAX_THREADS];
};

/* Memory that the heaps of all threads have handed out, for the check against the machine's. */
struct mer_heap_shared {
    _Alignas(64) uint64_t reserved; /* bytes of runs handed out, counted over all threads */
    uint64_t mapped; /* bytes of each span from MER_HEAP_OFFSET on; set by the first thread to start */
};

/* A thread that waits for a lock or semaphore (sync/semaphore.h).  The object's host uses the next thread in
 * the queue and the units that this thread wants.  The thread's own host uses the event by which it gets its
 * grant. */
struct mer_waiter {
    uint32_t granted; /* struct mer_event */
    uint32_t after;   /* thread + 1 */
    uint32_t wants, unused;
};

struct mer_control {
    uint32_t magic;
    uint32_t contract;
    uint32_t threads;
    uint32_t global_exit_flag;
    int32_t global_exit_code;
    uint32_t abort;
    uint32_t abort_thread;
    uint32_t launcher_abort;
    _Alignas(4096) uint32_t state[MER_MAX_THREADS];
    /* for the runtime alone */
    _Alignas(4096) uint64_t cpus[MER_CONTROL_CPUS / 64];
    _Alignas(4096) struct mer_heap_shared heap;
    _Alignas(4096) struct mer_phase_shared phase;
    _Alignas(4096) struct mer_phase_shared host; /* of the barriers of this host's threads among themselves */
    _Alignas(4096) struct mer_waiter waiter[MER_MAX_THREADS];
    _Alignas(4096) unsigned char coll[MER_MAX_THREADS][MER_COLL_THREAD_SIZE];
};

MER_LAYOUT_CHECK_FIELDS(struct mer_control, MER_LAYOUT_CONTROL);
static_assert(offsetof(struct mer_control, cpus) == 36864, "the launcher's part ends here");
static_assert(sizeof(struct mer_control) <= MER_CONTROL_SIZE, "the control block has its fixed size");
static_assert(sizeof(struct mer_phase_slot) == 128, "an announcement moves as one line");

#endif
