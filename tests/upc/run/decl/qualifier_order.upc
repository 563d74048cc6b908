// The shared qualifier before, between and after other specifiers, on pointers at any level.
//: clause 6.5.1.1 p5
//: clause 6.5.1 p2
#include "../../check.h"

int shared a1;
int shared const volatile a2;
unsigned shared long a3;
static int shared[4] a4[4 * THREADS];
shared static strict int a5;
const int shared *p1 = &a1;
int shared *const p2 = &a1;
shared int *shared p3;
int *shared p4;
int shared *shared *shared p5;
shared[4] int *strict shared p6;
extern relaxed shared int a6;
shared relaxed int a6;
shared[0] const char a7[5];
long shared long a8[THREADS];
struct tag {
    int v;
} shared a9;
enum e { ZERO, ONE } shared a10;
shared struct tag *p7 = &a9;

int main(void) {
    CHECK_EQ(upc_blocksizeof(a4), 4);
    if (MYTHREAD == 0) {
        a1 = 1;
        a3 = 3;
        a5 = 5;
        a6 = 6;
        a9.v = 9;
        a10 = ONE;
        p3 = &a1;
        p5 = &p3;
        p6 = &a4[3];
        a4[3] = 33;
    }
    a8[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(*p1 + *p2 + *p3 + **p5, 4);
    CHECK_EQ(*p6 + a3 + a5 + a6 + p7->v + a10, 33 + 3 + 5 + 6 + 9 + 1);
    CHECK_EQ(upc_phaseof(p6), 3);
    CHECK_EQ(upc_threadof(&p6), 0);
    CHECK_EQ(a8[THREADS - 1], THREADS - 1);
    CHECK(p4 == NULL && a2 == 0 && a7[4] == 0);
    return 0;
}
