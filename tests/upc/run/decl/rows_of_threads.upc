// A typedef of file scope for a private array whose length holds THREADS, in shared declarations.
//: clause 6.5.2.1 p5
//: mode dynamic
#include "../../check.h"

typedef int row[THREADS];
typedef row rows[3];
typedef struct {
    int x, y;
} pair;
typedef pair pairs[2 * THREADS];

shared row table[10];
shared rows cube;
shared[2] pairs points;
static shared row *walk = table;

int main(void) {
    typedef double line[THREADS];
    line private;
    CHECK(sizeof private == THREADS * sizeof(double));
    for (int i = 0; i < 10; i++)
        table[i][MYTHREAD] = 100 * i + MYTHREAD;
    cube[2][MYTHREAD] = MYTHREAD;
    points[2 * MYTHREAD].y = points[2 * MYTHREAD + 1].x = MYTHREAD;
    upc_barrier;
    int other = (MYTHREAD + 1) % THREADS;
    CHECK_EQ(table[7][other], 700 + other);
    CHECK_EQ((*(walk + 7))[other], 700 + other);
    CHECK_EQ(cube[2][other], other);
    CHECK(points[2 * other].y == other && upc_threadof(&points[2 * other + 1]) == other);
    CHECK(sizeof table == 10 * THREADS * sizeof(int));
    return 0;
}
