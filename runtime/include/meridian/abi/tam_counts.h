/* The counters of the threaded abstract machine for `meridian run --profile` (docs/profile.md).
 *
 * The code of a program that was compiled with --count-instructions counts the instructions of threads and of
 * C functions.  The machine counts its own operations, posts, short cuts and messages, in every profiled run.
 * The classes of the instructions are those of figure 6-12 of von Eicken's thesis, the kinds of forks and
 * posts those of table 6-3, of accesses and messages those of table 6-4. */
#ifndef MERIDIAN_TAM_COUNTS_H
#define MERIDIAN_TAM_COUNTS_H

#include <meridian/abi/contract.h>

enum tam_counter {
#define TAM_COUNTER(name, text) TAM_N_##name,
    MER_TAM_COUNTERS(TAM_COUNTER)
#undef TAM_COUNTER
        TAM_COUNTER_COUNT
};

/* For compiled code, and for functions in line there (meridian/abi/tam.h). */
#ifdef TAM_COUNT_INSTRUCTIONS
#define TAM_COUNT(counter, n) ((void)(tam_registers.counts[TAM_N_##counter] += (n)))
#else
#define TAM_COUNT(counter, n) ((void)0)
#endif
/* An instruction of a thread. */
#define TAM_COUNT_IN_THREAD(counter, n) (TAM_COUNT(counter, n), TAM_COUNT(IN_THREADS, n))

#endif
