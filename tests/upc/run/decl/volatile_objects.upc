// Volatile shared objects are initialised, and pointed at by initialisers, without a warning of the
// C compiler, which does not miss a result after the end of the job either.
//: clause 6.5.2 p1
//: flags -Wall -Wextra -Werror
#include "../../check.h"

volatile shared int x = 3;
const volatile shared int y = 4;
shared volatile int *p = &x;
const volatile shared int *const q = &y;
shared volatile int *table[2] = {&x, NULL};
shared volatile struct {
    volatile int a;
    shared volatile int *p;
} s = {5, &x};

static int positive(int n) {
    if (n > 0)
        return n;
    upc_global_exit(1);
}

int main(void) {
    static volatile shared int *local = &x;
    CHECK_EQ(*p + *q + *table[0] + s.a + *s.p + positive(*local), 21);
    CHECK(table[1] == NULL);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        *s.p += 1;
    upc_barrier;
    CHECK_EQ(*local, 4);
    return 0;
}
