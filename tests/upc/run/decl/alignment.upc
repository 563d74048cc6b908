// Shared objects are aligned for their type, with any neighbours.
//: clause 7.2.2 p1
#include <stdalign.h>
#include "../../check.h"

shared char c1;
shared double d1;
shared char c2[THREADS];
shared long double ld[3 * THREADS];
shared char c3[3 * THREADS];
typedef float vec __attribute__((vector_size(16)));
shared vec v[2 * THREADS];
struct aligned {
    char c;
    alignas(64) int line;
};
shared struct aligned lines[THREADS];

int main(void) {
    CHECK_EQ((size_t)(double *)(MYTHREAD == 0 ? (double *)&d1 : NULL) % alignof(double), 0);
    CHECK_EQ((size_t)(long double *)&ld[MYTHREAD] % alignof(long double), 0);
    CHECK_EQ((size_t)(vec *)&v[MYTHREAD + THREADS] % 16, 0);
    CHECK_EQ((size_t)(void *)&lines[MYTHREAD] % 64, 0);
    v[MYTHREAD] = (vec){1, 2, 3, MYTHREAD};
    v[MYTHREAD] += v[MYTHREAD];
    vec w = v[MYTHREAD];
    CHECK(w[0] == 2 && w[3] == 2 * MYTHREAD);
    ld[MYTHREAD] = 1.0L / 3;
    CHECK(ld[MYTHREAD] == 1.0L / 3);
    lines[MYTHREAD].line = 5;
    upc_barrier;
    CHECK_EQ(lines[(MYTHREAD + 1) % THREADS].line, 5);
    upc_barrier;
    c1 = c2[0] = c3[0] = 1;
    return 0;
}
