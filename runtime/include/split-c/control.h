/* Split-C: loops over what a processor owns, and statements for one processor. */
#ifndef SPLIT_C_CONTROL_H
#define SPLIT_C_CONTROL_H

#include <split-c/split-c.h>

/* for_my_1d(i, n) statement: for the i of 0 ... n - 1 whose element of a spread array this processor has. */
#define for_my_1d(i, n) for ((i) = MYPROC; (i) < (n); (i) += PROCS)

/* for_my_2d(i, j, n, m) statement: likewise for 0 <= i < n and 0 <= j < m, numbered row-major. */
#define for_my_2d(i, j, n, m)                                                                                \
    for ((i) = (m) > 0 ? MYPROC / (m) : (n), (j) = (m) > 0 ? MYPROC % (m) : 0; (i) < (n);                    \
         (j) += PROCS, (i) += (j) / (m), (j) %= (m))

#define for_my_1D for_my_1d
#define for_my_2D for_my_2d

/* on_one statement: on processor 0; on_proc(p) statement: on processor p. */
#define on_proc(p) if (MYPROC == (p))
#define on_one on_proc(0)

#endif
