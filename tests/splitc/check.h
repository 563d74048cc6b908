/* The check of the test programs in Split-C and AC: a failure ends the job with its place and
 * processor. */
#ifndef TESTS_SPLITC_CHECK_H
#define TESTS_SPLITC_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                 \
    do {                                                                                                 \
        if (!(condition)) {                                                                              \
            printf("%d: line %d: %s\n", MYPROC, __LINE__, #condition);                                   \
            exit(1);                                                                                     \
        }                                                                                                \
    } while (0)

#endif
