/* What the test programs in Split-C and AC share: a check that ends the job when it fails, saying where
 * and on which processor. */
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
