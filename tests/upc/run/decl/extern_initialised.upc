// `extern` with an initialiser at file scope is a definition, of shared objects too (ISO C 6.9.2 p1).
#include "../../check.h"

extern shared int x = 3;
extern shared [2] int y[2 * THREADS] = {1, 2}, z[2 * THREADS];
shared [2] int z[2 * THREADS];
shared int *p = &x;
extern shared [] char text[] = "text";

int main(void) {
    CHECK_EQ(x, 3);
    CHECK_EQ(y[0] + y[1], 3);
    CHECK_EQ(z[2 * THREADS - 1], 0);
    CHECK(p == &x);
    CHECK_EQ(sizeof text, 5);
    CHECK_EQ(text[3], 't');
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        *p = 4;
        z[0] = 5;
    }
    upc_barrier;
    CHECK_EQ(x + z[0], 9);
    return 0;
}
