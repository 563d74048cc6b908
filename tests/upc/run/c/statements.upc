// C's statements, untouched by the translation: every loop, switch with ranges and falls, goto, nesting.
#include "../../check.h"

shared [4] int row[4 * THREADS];

static int collatz(int n) {
    int steps = 0;
again:
    if (n == 1)
        return steps;
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
    goto again;
}
static const char *kind(int c) {
    switch (c) {
    case 'a' ... 'z': return "lower";
    case 'A' ... 'Z': return "upper";
    case '0':
    case '1': return "bit";
    default: break;
    case ' ': return "space";
    }
    return "other";
}

int main(void) {
    int n = 0;
    for (int i = 0, j = 10; i < j; i++, j--)
        for (;;) {
            if (++n % 3 == 0)
                break;
            else
                continue;
        }
    CHECK_EQ(n, 15);
    while (n-- > 0)
        if (n == 5)
            goto out;
out:
    CHECK_EQ(n, 5);
    do {
        do
            n++;
        while (n % 4);
    } while (n < 12);
    CHECK_EQ(n, 12);
    CHECK_EQ(collatz(27), 111);
    CHECK(kind('q')[0] == 'l' && kind('Q')[0] == 'u' && kind('1')[0] == 'b' && kind(' ')[0] == 's');
    CHECK(kind('!')[0] == 'o');
    {
        int n = 1;
        { int n = 2; (void)n; }
        CHECK_EQ(n, 1);
    };
    ;
    n = 0;
    for (struct { int i; shared [4] int *p; } at = { 0, row }; at.i < 4; at.i++, at.p++) {
        if (at.i == 1)
            continue;
        n += *at.p + 1;
    }
    CHECK_EQ(n, 3);
    upc_forall (struct { int i, j; } at = { 0, 9 }; at.i < at.j; at.i++, at.j--; at.i)
        CHECK_EQ(at.i % THREADS, MYTHREAD);
    return 0;
}
