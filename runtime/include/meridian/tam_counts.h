/* The counters of the threaded abstract machine for `meridian run --profile` (docs/profile.md).
 *
 * The code of a program that was compiled with --count-instructions counts the instructions of threads and of
 * C functions.  The machine counts its own operations, posts, short cuts and messages, in every profiled run.
 * The classes of the instructions are those of figure 6-12 of von Eicken's thesis, the kinds of forks and
 * posts those of table 6-3, of accesses and messages those of table 6-4. */
#ifndef MERIDIAN_TAM_COUNTS_H
#define MERIDIAN_TAM_COUNTS_H

/* Each with its name in the file of the profile; crates/profile/src/record/tam.rs knows the names. */
#define TAM_COUNTERS(X)                                                                                      \
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

enum tam_counter {
#define TAM_COUNTER(name, text) TAM_N_##name,
    TAM_COUNTERS(TAM_COUNTER)
#undef TAM_COUNTER
        TAM_COUNTER_COUNT
};

/* The counts of this processor. */
extern unsigned long long tam_counts[TAM_COUNTER_COUNT];

/* For compiled code, and for functions in line there. */
#ifdef TAM_COUNT_INSTRUCTIONS
#define TAM_COUNT(counter, n) ((void)(tam_counts[TAM_N_##counter] += (n)))
#else
#define TAM_COUNT(counter, n) ((void)0)
#endif
/* An instruction of a thread. */
#define TAM_COUNT_IN_THREAD(counter, n) (TAM_COUNT(counter, n), TAM_COUNT(IN_THREADS, n))

#endif
