/* Split-C: loops over a processor's own elements, and statements for one processor. */
#ifndef SPLIT_C_CONTROL_H
#define SPLIT_C_CONTROL_H

#include <split-c/split-c.h>

/* for_my_1d(i, n) statement: for the i of 0 ... n - 1 whose element of a spread array this processor owns. */
#define for_my_1d(i, n) for ((i) = MYPROC; (i) < (n); (i) += PROCS)

/* for_my_2d(i, j, n, m) statement: the same for 0 <= i < n and 0 <= j < m, numbered row-major.
 * for_my_2d(i, j, l, n, m): also sets l to this number. */
#define for_my_2d(...)                                                                                       \
    MER_SPLITC_2D_(__VA_ARGS__, MER_SPLITC_2D_NUMBERED_, MER_SPLITC_2D_PLAIN_, MER_SPLITC_2D_PLAIN_, )       \
    (__VA_ARGS__)
#define MER_SPLITC_2D_(i, j, a, b, c, form, ...) form
#define MER_SPLITC_2D_PLAIN_(i, j, n, m)                                                                     \
    for ((i) = (m) > 0 ? MYPROC / (m) : (n), (j) = (m) > 0 ? MYPROC % (m) : 0; (i) < (n);                    \
         (j) += PROCS, (i) += (j) / (m), (j) %= (m))
#define MER_SPLITC_2D_NUMBERED_(i, j, l, n, m)                                                               \
    for ((l) = MYPROC, (i) = (m) > 0 ? MYPROC / (m) : (n), (j) = (m) > 0 ? MYPROC % (m) : 0; (i) < (n);      \
         (l) += PROCS, (j) += PROCS, (i) += (j) / (m), (j) %= (m))

#define for_my_1D for_my_1d
#define for_my_2D for_my_2d

/* on_one statement: on processor 0; on_proc(p) statement: on processor p. */
#define on_proc(p) if (MYPROC == (p))
#define on_one on_proc(0)

#endif
