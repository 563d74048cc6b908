// Deep nesting and long expressions.
#include "../../check.h"
shared int a[THREADS];
#define P4(x) ((((x))))
#define P16(x) P4(P4(P4(P4(x))))
#define P64(x) P16(P16(P16(P16(x))))
#define PLUS8(x) x + x + x + x + x + x + x + x
#define PLUS64(x) PLUS8(x) + PLUS8(x) + PLUS8(x) + PLUS8(x) + PLUS8(x) + PLUS8(x) + PLUS8(x) + PLUS8(x)
int main(void) {
    a[MYTHREAD] = 1;
    CHECK_EQ(P64(P64(a[MYTHREAD])), 1);
    CHECK_EQ(PLUS64(a[MYTHREAD]) + PLUS64(a[MYTHREAD]) + PLUS64(a[MYTHREAD]), 192);
    int n = 0;
    if (n == 0) { if (n == 0) { if (n == 0) { if (n == 0) { if (n == 0) { if (n == 0) { if (n == 0) {
    for (;;) { while (1) { do { switch (0) { default: { { { { { { n = a[MYTHREAD]; } } } } } } } } while (0); break; } break; }
    } } } } } } }
    CHECK_EQ(n, 1);
    CHECK_EQ(n ? n ? n ? n ? n ? a[MYTHREAD] : 2 : 3 : 4 : 5 : 6, 1);
    CHECK_EQ(- - - - -a[MYTHREAD], -1);
    CHECK_EQ(!!!!a[MYTHREAD] + ~~a[MYTHREAD], 2);
    return 0;
}
