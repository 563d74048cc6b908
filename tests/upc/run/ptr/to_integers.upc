// A pointer-to-shared cast to an integer: equal pointers give equal integers, null gives 0.
#include <stdint.h>
#include "../../check.h"

shared int c[8 * THREADS];
shared[4] int b[8 * THREADS];

int main(void) {
    CHECK_EQ((uintptr_t)(shared int *)0, 0);
    CHECK_EQ((long)(shared[4] int *)0, 0);
    for (int i = 1; i < 8 * THREADS; i++) {
        CHECK((uintptr_t)&c[i] == (uintptr_t)(c + i));
        CHECK((uintptr_t)&c[i] != (uintptr_t)&c[i - 1]);
        CHECK((uint64_t)&b[i] == (uint64_t)(b + i));
    }
    return 0;
}
