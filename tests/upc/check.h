/* The check of the test programs: a failure ends the whole job with its place and thread, so that a
 * wrong result on any one thread is the result of the program. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

#define CHECK(condition)                                                                                 \
    do {                                                                                                 \
        if (!(condition)) {                                                                              \
            fprintf(stderr, "%s:%d: thread %d of %d: not so: %s\n", __FILE__, __LINE__, (int)MYTHREAD,   \
                    (int)THREADS, #condition);                                                           \
            upc_global_exit(1);                                                                          \
        }                                                                                                \
    } while (0)

/* Both sides as long long, and both are printed. */
#define CHECK_EQ(got, wanted)                                                                            \
    do {                                                                                                 \
        long long got_ = (long long)(got), wanted_ = (long long)(wanted);                                \
        if (got_ != wanted_) {                                                                           \
            fprintf(stderr, "%s:%d: thread %d of %d: %s is %lld, not %lld\n", __FILE__, __LINE__,        \
                    (int)MYTHREAD, (int)THREADS, #got, got_, wanted_);                                   \
            upc_global_exit(1);                                                                          \
        }                                                                                                \
    } while (0)

#endif
