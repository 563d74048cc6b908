/* The contract: the numbers, names and layouts on which compiler, runtime, launcher and tools agree.
 *
 * Each fact stands here once.  C takes it by the preprocessor.  Rust takes it from `base::contract`, which
 * crates/base/build.rs generates from this file: constants from the definitions, tables from the lists of
 * rows X(...), and offsets from the layouts.  The runtime checks each layout against its struct
 * (MER_LAYOUT_CHECK in base/layout_check.h).
 *
 * MER_CONTRACT_NUMBER is the version of the contract: a hash of all definitions below it without comments and
 * blanks.  The build of the crates fails if it is not that hash, and says which number to write.  The number
 * stands in a symbol to which each compiled file refers, in the record of each compiled file, in the
 * environment of each thread, in the first exchange of a job on several hosts, and in the frames of agents;
 * whoever finds another number there refuses to go on. */
#ifndef MERIDIAN_CONTRACT_H
#define MERIDIAN_CONTRACT_H

#define MER_CONTRACT_NUMBER bb77c4f0

/* Raise one of these for a change that no other row shows: of the meaning of functions and inline code in
 * abi.h and tam.h, of the frames between launcher and agents (crates/launch/src/frame.rs), of the files of
 * `meridian run --record' and `--profile'. */
#define MER_REVISION_CODE 5
#define MER_REVISION_AGENTS 2
#define MER_REVISION_TRACE 1
#define MER_REVISION_PROFILE 2

/* ---- memory -------------------------------------------------------------------------------------------- */

#define MER_MAX_THREADS 8192 /* a span of 2^46 / 8192 = 8 GB holds image and heap */
#define MER_THREAD_SHIFT 48
#define MER_ADDR_MASK 0x0000ffffffffffffULL
#define MER_VIEW_BASE 0x110000000000ULL /* above the address sanitizer's shadow */
#define MER_VIEW_SIZE (1ULL << 46)      /* all spans of a host together */
/* Spans are this much less than a power of two, so that the same object of two threads differs in address
 * bits 21 … 27: AMD's processors choose the way of the first-level cache by a hash of bits 12 … 27, and if
 * these agree, lines of two threads evict each other (half the speed of a walk over both). */
#define MER_SPAN_SKEW (2ULL << 20)
#define MER_HEAP_OFFSET (1ULL << 31) /* a span's heap starts past any small-model image */
#define MER_MAX_BLOCK_SIZE (1ULL << 40)

/* ---- loops (crates/opt/src/remote) --------------------------------------------------------------------- */

#define MER_MOST_READS 8    /* accesses of a loop that are prefetched */
#define MER_MOST_EXTENTS 16 /* reads and writes of a loop that are tested against each other */
/* Lines that a part of a loop adds to the cache, at most; its last iteration may add more. */
#define MER_CACHE_PART 2048
#define MER_CACHE_DEPTH 4096 /* iterations in a part of a loop that uses the cache, at most */

/* ---- launcher and runtime ------------------------------------------------------------------------------ */

/* The variables by which `meridian run' tells a process its place (the table in ARCHITECTURE.md).  CONTRACT
 * is this contract's number, in hexadecimal. */
#define MER_VARIABLES(X)                                                                                     \
    X(CONTRACT)                                                                                              \
    X(THREAD)                                                                                                \
    X(THREADS)                                                                                               \
    X(MEMORY_FD)                                                                                             \
    X(CONTROL_FD)                                                                                            \
    X(LAUNCHER)
/* Variables that only jobs on several hosts have. */
#define MER_VARIABLES_HOSTS(X)                                                                               \
    X(FIRST)                                                                                                 \
    X(HERE)                                                                                                  \
    X(HOST)                                                                                                  \
    X(HOSTS)                                                                                                 \
    X(HOST_NAME)                                                                                             \
    X(EXCHANGE_FD)
/* For the program itself, which may show progress on a terminal: the runtime leaves it in the environment. */
#define MER_VARIABLES_PROGRAM(X) X(TERMINAL)

#define MER_CONTROL_MAGIC 0x4352454dU /* "MERC" */
#define MER_CONTROL_SIZE (16U << 20)

/* The head of the control block, see host/control.h.  The word `contract' has this place in all versions. */
#define MER_LAYOUT_CONTROL(X, S)                                                                             \
    X(S, magic, 0, 4)                                                                                        \
    X(S, contract, 4, 4)                                                                                     \
    X(S, threads, 8, 4)                                                                                      \
    X(S, global_exit_flag, 12, 4)                                                                            \
    X(S, global_exit_code, 16, 4)                                                                            \
    X(S, abort, 20, 4)                                                                                       \
    X(S, abort_thread, 24, 4)                                                                                \
    X(S, launcher_abort, 28, 4)                                                                              \
    X(S, state, 4096, 32768)

/* Values of mer_control.state[t]. */
#define MER_STATES(X)                                                                                        \
    X(NONE, 0)        /* not started */                                                                      \
    X(RUNNING, 1)     /* has passed start-up, runs user code */                                              \
    X(FINISHED, 2)    /* passed the termination barrier; will exit with 0 */                                 \
    X(REPORTED, 3)    /* a fatal message was printed, by this or another thread; will die */                 \
    X(GLOBAL_EXIT, 4) /* called upc_global_exit */                                                           \
    X(EXITING, 5)     /* called exit with a code other than 0 (no termination barrier) */                    \
    X(STARTED, 6)     /* in start-up: control block mapped, user code not yet entered */

/* Values of mer_control.global_exit_flag and mer_control.abort. */
#define MER_GLOBAL_EXITS(X) X(NONE, 0) X(KNOWN, 1) X(BEGUN, 2)
#define MER_ABORTS(X) X(NONE, 0) X(PRINTING, 1) X(PRINTED, 2)

/* ---- hosts --------------------------------------------------------------------------------------------- */

/* The first exchange of a job on several hosts: the version and the host's name (host/hosts.c).  This layout
 * is the same in all versions. */
#define MER_LAYOUT_GREETING(X, S)                                                                            \
    X(S, contract, 0, 4)                                                                                     \
    X(S, unused, 4, 4)                                                                                       \
    X(S, name, 8, 64)

/* ---- compiled code and runtime ------------------------------------------------------------------------- */

/* The records that compiled files leave (abi.h).  The launcher reads units too.  The first four bytes of a
 * unit have the same meaning in all versions. */
#define MER_LAYOUT_UNIT(X, S)                                                                                \
    X(S, contract, 0, 4)                                                                                     \
    X(S, static_threads, 4, 4)                                                                               \
    X(S, file, 8, 8)
#define MER_LAYOUT_INIT_PTR(X, S)                                                                            \
    X(S, where, 0, 8)                                                                                        \
    X(S, base, 8, 8)                                                                                         \
    X(S, n, 16, 8)                                                                                           \
    X(S, size, 24, 8)                                                                                        \
    X(S, block, 32, 8)                                                                                       \
    X(S, offset, 40, 8)                                                                                      \
    X(S, wide, 48, 8)                                                                                        \
    X(S, each, 56, 8)
#define MER_LAYOUT_INIT_DATA(X, S)                                                                           \
    X(S, base, 0, 8)                                                                                         \
    X(S, image, 8, 8)                                                                                        \
    X(S, n, 16, 8)                                                                                           \
    X(S, size, 24, 8)                                                                                        \
    X(S, block, 32, 8)                                                                                       \
    X(S, row, 40, 8)                                                                                         \
    X(S, each, 48, 8)                                                                                        \
    X(S, name, 56, 8)
#define MER_LAYOUT_BIG(X, S)                                                                                 \
    X(S, native, 0, 8)                                                                                       \
    X(S, size, 8, 8)
#define MER_LAYOUT_SIZED(X, S)                                                                               \
    X(S, object, 0, 8)                                                                                       \
    X(S, bytes, 8, 8)

/* A program or a shared library as start-up sees it. */
#define MER_LAYOUT_IMAGE(X, S)                                                                               \
    X(S, parts, 0, 8)                                                                                        \
    X(S, parts_end, 8, 8)                                                                                    \
    X(S, unit, 16, 8)                                                                                        \
    X(S, unit_end, 24, 8)                                                                                    \
    X(S, init_ptr, 32, 8)                                                                                    \
    X(S, init_ptr_end, 40, 8)                                                                                \
    X(S, init_data, 48, 8)                                                                                   \
    X(S, init_data_end, 56, 8)                                                                               \
    X(S, big, 64, 8)                                                                                         \
    X(S, big_end, 72, 8)                                                                                     \
    X(S, sized, 80, 8)                                                                                       \
    X(S, sized_end, 88, 8)                                                                                   \
    X(S, sym, 96, 8)                                                                                         \
    X(S, sym_end, 104, 8)                                                                                    \
    X(S, bias, 112, 8)                                                                                       \
    X(S, next, 120, 8)                                                                                       \
    X(S, joined, 128, 4)

/* The description of the job, which compiled code reads. */
#define MER_LAYOUT_JOB(X, S)                                                                                 \
    X(S, mythread, 0, 4)                                                                                     \
    X(S, threads, 4, 4)                                                                                      \
    X(S, span, 8, 8)                                                                                         \
    X(S, magic, 16, 8)                                                                                       \
    X(S, magic_shift, 24, 4)                                                                                 \
    X(S, has_remote, 28, 4)                                                                                  \
    X(S, here_first, 32, 4)                                                                                  \
    X(S, here, 36, 4)

/* The tables of a code-block of Id90 (tam.h). */
#define MER_LAYOUT_CODEBLOCK(X, S)                                                                           \
    X(S, name, 0, 8)                                                                                         \
    X(S, number, 8, 4)                                                                                       \
    X(S, site, 12, 4)                                                                                        \
    X(S, params, 16, 2)                                                                                      \
    X(S, late, 18, 2)                                                                                        \
    X(S, results, 20, 2)                                                                                     \
    X(S, slots, 22, 2)                                                                                       \
    X(S, counters, 24, 2)                                                                                    \
    X(S, threads, 26, 2)                                                                                     \
    X(S, io, 28, 1)                                                                                          \
    X(S, shares, 29, 1)                                                                                      \
    X(S, is_late, 32, 8)                                                                                     \
    X(S, counts, 40, 8)                                                                                      \
    X(S, inlets, 48, 8)                                                                                      \
    X(S, targets, 56, 8)                                                                                     \
    X(S, entry, 64, 6)                                                                                       \
    X(S, run, 72, 8)                                                                                         \
    X(S, direct, 80, 8)
#define MER_LAYOUT_INLET(X, S)                                                                               \
    X(S, slot, 0, 2)                                                                                         \
    X(S, first, 2, 2)                                                                                        \
    X(S, count, 4, 2)
#define MER_LAYOUT_TARGET(X, S)                                                                              \
    X(S, thread, 0, 2)                                                                                       \
    X(S, counter, 2, 2)

/* How the work of a code-block of Id90 can be shared: the bits of tam_codeblock.shares, with the prefix TAM_.
 * crates/id/src/tam/plan/facts.rs chooses them. */
#define MER_SHARING(X)                                                                                       \
    X(RECURSION, 1) /* the rest of a recursive function, after its C function has ended early */             \
    X(PASSES, 2)    /* a loop with independent passes */                                                     \
    X(CALLS, 4)     /* a rest that calls functions */                                                        \
    X(FORKS, 8)     /* a recursive function that calls others too, or a rest that calls such a function */

/* The arrays whose elements the passes of a bounded loop take begin at -2^62 (crates/id/src/core/lower). */
#define MER_SLOTS_SHIFT 62
/* The operations of tam_io. */
#define MER_IO(X) X(PUT, 0) X(GET, 1) X(PEEK, 2) X(NAME, 3) X(OPEN, 4) X(CLOSE, 5) X(EXIT, 6)

/* ---- runtime and tools --------------------------------------------------------------------------------- */

/* The kinds of records of base/record.h, and their words in profiles. */
#define MER_RECORD_KINDS(X)                                                                                  \
    X(NOTHING, 0, "call") /* of no interest: counts as computing */                                          \
    X(BARRIER, 1, "barrier")                                                                                 \
    X(NOTIFY, 2, "notify")                                                                                   \
    X(WAIT, 3, "wait")                                                                                       \
    X(PUT, 4, "put")                                                                                         \
    X(GET, 5, "get")                                                                                         \
    X(PUT_BEGIN, 6, "put start")                                                                             \
    X(GET_BEGIN, 7, "get start")                                                                             \
    X(SYNC, 8, "completion")                                                                                 \
    X(LOCK, 9, "lock")                                                                                       \
    X(UNLOCK, 10, "unlock")                                                                                  \
    X(BROADCAST, 11, "broadcast")                                                                            \
    X(SCATTER, 12, "scatter")                                                                                \
    X(GATHER, 13, "gather")                                                                                  \
    X(GATHER_ALL, 14, "gather-all")                                                                          \
    X(EXCHANGE, 15, "exchange")                                                                              \
    X(PERMUTE, 16, "permute")                                                                                \
    X(REDUCE, 17, "reduce")                                                                                  \
    X(PREFIX, 18, "prefix")                                                                                  \
    X(REQUEST, 19, "message")                                                                                \
    X(ATOMIC, 20, "atomic") /* in profiles alone; a request in a trace */                                    \
    X(END, 21, "end")       /* in profiles alone, the barrier at the program's end; a barrier in a trace */  \
    X(INNER, 22, "call")    /* in no file: stands for the kind of the last call within this one */
/* Further kinds, only in traces that other tools write: messages, and the wait for one. */
#define MER_TRACE_KINDS(X) X(SEND, 20) X(RECEIVE, 21)

/* The file of `meridian run --record' (base/record.c): a head, then blocks, each a block head and records. */
#define MER_LAYOUT_TRACE_HEAD(X, S)                                                                          \
    X(S, magic, 0, 16)                                                                                       \
    X(S, version, 16, 4)                                                                                     \
    X(S, threads, 20, 4)
#define MER_LAYOUT_TRACE_BLOCK(X, S)                                                                         \
    X(S, thread, 0, 4)                                                                                       \
    X(S, count, 4, 4)
#define MER_LAYOUT_TRACE_RECORD(X, S)                                                                        \
    X(S, kind, 0, 4)                                                                                         \
    X(S, other, 4, 4)                                                                                        \
    X(S, bytes, 8, 8)                                                                                        \
    X(S, compute, 16, 8)                                                                                     \
    X(S, spent, 24, 8)

/* A thread's part of the file of `meridian run --profile' (base/profile.c). */
#define MER_LAYOUT_PROFILE_HEAD(X, S)                                                                        \
    X(S, mark, 0, 16)                                                                                        \
    X(S, version, 16, 4)                                                                                     \
    X(S, thread, 20, 4)                                                                                      \
    X(S, threads, 24, 4)                                                                                     \
    X(S, entries, 28, 4)                                                                                     \
    X(S, calls, 32, 4)                                                                                       \
    X(S, modules, 36, 4)                                                                                     \
    X(S, began, 40, 8)                                                                                       \
    X(S, ns, 48, 8)                                                                                          \
    X(S, shortest, 56, 8)                                                                                    \
    X(S, attached, 64, 8)                                                                                    \
    X(S, host, 72, 64)
#define MER_LAYOUT_PROFILE_MODULE(X, S)                                                                      \
    X(S, base, 0, 8)                                                                                         \
    X(S, from, 8, 8)                                                                                         \
    X(S, to, 16, 8)                                                                                          \
    X(S, length, 24, 4)                                                                                      \
    X(S, unused, 28, 4)
#define MER_LAYOUT_PROFILE_ENTRY(X, S)                                                                       \
    X(S, place, 0, 8)                                                                                        \
    X(S, bytes, 8, 8)                                                                                        \
    X(S, calls, 16, 8)                                                                                       \
    X(S, ns, 24, 8)                                                                                          \
    X(S, longest, 32, 8)                                                                                     \
    X(S, kind, 40, 4)                                                                                        \
    X(S, unused, 44, 4)
#define MER_LAYOUT_PROFILE_CALL(X, S)                                                                        \
    X(S, began, 0, 8)                                                                                        \
    X(S, ns, 8, 8)                                                                                           \
    X(S, bytes, 16, 8)                                                                                       \
    X(S, entry, 24, 4)                                                                                       \
    X(S, other, 28, 4)
/* The counters of the threaded abstract machine (tam_counts.h), which compiled code and the runtime raise by
 * their numbers in this order, each with its name in the file. */
#define MER_TAM_COUNTERS(X)                                                                                  \
    X(INTEGER, "alu integer")                                                                                \
    X(FLOAT, "alu float")                                                                                    \
    X(ALLOCATE, "heap allocate")                                                                             \
    X(FILL, "heap fill") /* of a field of a cell that nobody else knows yet */                               \
    X(BOUND, "heap bound")                                                                                   \
    X(FETCH, "heap fetch")                                                                                   \
    X(STORE, "heap store")                                                                                   \
    X(SWITCH, "control switch")                                                                              \
    X(FORK, "control fork unsynchronizing")                                                                  \
    X(FORK_LAST, "control fork successful")                                                                  \
    X(FORK_WAITS, "control fork unsuccessful")                                                               \
    X(STOP, "control stop")                                                                                  \
    X(INIT, "control init") /* of an entry count */                                                          \
    X(CALL, "control call") /* of a C function */                                                            \
    X(TURN, "control turn") /* of a loop that stays in its C function or its frame */                        \
    X(POST_IDLE, "control post idle unsynchronizing")                                                        \
    X(POST_IDLE_LAST, "control post idle successful")                                                        \
    X(POST_IDLE_WAITS, "control post idle unsuccessful")                                                     \
    X(POST_READY, "control post ready unsynchronizing")                                                      \
    X(POST_READY_LAST, "control post ready successful")                                                      \
    X(POST_READY_WAITS, "control post ready unsuccessful")                                                   \
    X(POST_RUNNING, "control post running unsynchronizing")                                                  \
    X(POST_RUNNING_LAST, "control post running successful")                                                  \
    X(POST_RUNNING_WAITS, "control post running unsuccessful")                                               \
    X(SEND, "message send")       /* a call, an argument, a result or an application */                      \
    X(RECEIVE, "message receive") /* at an inlet */                                                          \
    X(IO, "message input or output")                                                                         \
    X(THREADS, "threads")                                                                                    \
    X(IN_THREADS, "instructions in threads")                                                                 \
    X(FUNCTIONS, "functions") /* C functions that have begun */                                              \
    X(FALL, "fork fall through")                                                                             \
    X(LEFT, "functions left") /* of which the rest became an activation */                                   \
    X(ACTIVATIONS, "activations")                                                                            \
    X(QUANTA, "quanta")                                                                                      \
    X(POLLS, "polls")                                                                                        \
    X(COLLECTIONS, "collections")                                                                            \
    X(COLLECTIONS_OF_ALL, "collections of all")                                                              \
    X(FETCH_HERE, "ifetch in line")                                                                          \
    X(FETCH_FULL, "ifetch full")                                                                             \
    X(FETCH_DEFERRED, "ifetch deferred")                                                                     \
    X(FETCH_DELAYED, "ifetch delayed")                                                                       \
    X(FETCH_REMOTE, "ifetch remote")                                                                         \
    X(STORE_HERE, "istore in line")                                                                          \
    X(STORE_EMPTY, "istore empty")                                                                           \
    X(STORE_WAITERS, "istore with waiters")                                                                  \
    X(READERS, "readers resumed")                                                                            \
    X(STORE_REMOTE, "istore remote")                                                                         \
    X(TAKE_HERE, "take in line")                                                                             \
    X(VALUE_LOCAL, "value local")                                                                            \
    X(VALUE_REMOTE, "value remote")                                                                          \
    X(CALL_LOCAL, "call local")                                                                              \
    X(CALL_REMOTE, "call remote")                                                                            \
    X(CALL_REFUSED, "call refused")                                                                          \
    X(APPLY_LOCAL, "application local")                                                                      \
    X(APPLY_REMOTE, "application remote")                                                                    \
    X(ASKED, "work asked for")                                                                               \
    X(GIVEN, "work given")
/* A quantum in the part that an Id90 program attaches to it (tam/count.c). */
#define MER_LAYOUT_TAM_QUANTUM(X, S)                                                                         \
    X(S, began, 0, 8)                                                                                        \
    X(S, ns, 8, 8)                                                                                           \
    X(S, codeblock, 16, 4)                                                                                   \
    X(S, threads, 20, 4)                                                                                     \
    X(S, frames, 24, 4)                                                                                      \
    X(S, ready, 28, 4)

#endif
