/* The 24 Livermore kernels (McMahon, 1986), in each version of c/livermore.c. */
#ifndef BENCH_LIVERMORE_H
#define BENCH_LIVERMORE_H

#define LIVERMORE_KERNELS 24

/* A kernel: the number of operations in a turn (floating-point ones as the benchmark counts them; for kernels
 * 16 and 24 the steps of the search), and the sum over all arrays after one turn (livermore_sum). */
struct livermore_kernel {
    const char *name;
    void (*run)(long turns);
    double operations;
    double sum;
};

/* A version of the source: all its kernels, a function that sets the first values of all arrays, and one that
 * adds up all arrays, each element with its own weight. */
struct livermore_version {
    const struct livermore_kernel *kernels;
    void (*prepare)(void);
    double (*sum)(void);
};

extern const struct livermore_version livermore_plain;   /* by the C compiler alone */
extern const struct livermore_version livermore_private; /* translated, arrays private */
extern const struct livermore_version livermore_shared;  /* translated, arrays shared, all on thread 0 */

#endif
