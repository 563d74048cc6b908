//: clause store 1
//: flags -O2
/* Stores to parts of elements, in loops that go over own elements by local pointers: members, elements of
 * arrays in structures and of blocks; beside other accesses to the same elements. */
#include <split-c/split-c.h>
#include "../check.h"
#define N (12 * PROCS)
struct s {
    int v, list[3];
    double w;
    struct { short a, b; } in;
};
struct s st[N]::;
int a[N]::, ix[N]::, blocks[N]::[4];

static int times(int x) { return 3 * x; }

int splitc_main() {
    int i, n = N;
    for (i = MYPROC; i < N; i += PROCS) {
        a[i] = i + 5;
        ix[i] = (i * 5 + 3) % N;
    }
    barrier();
    for (i = MYPROC; i < n; i += PROCS) {
        st[i].v = a[ix[i]];
        st[i].v :- times(a[i]);
    }
    for (i = MYPROC; i < n; i += PROCS) {
        st[i].list[1] :- a[ix[i]] + 0;
        st[i].in.a = a[i];
    }
    for (i = MYPROC; i < n; i += PROCS) {
        st[i].w = a[i];
        st[i].in.b :- times(a[i]) + 1;
        (&st[i])->w :- times(a[i]) + 0.5;
    }
    for (i = MYPROC; i < n; i += PROCS) {
        blocks[i][2] = a[i];
        blocks[i][2] :- times(a[i]) + 2;
        blocks[i][3] = a[ix[i]];
    }
    all_store_sync();
    for (i = 0; i < N; i++) {
        int value = 3 * (i + 5);
        CHECK(st[i].v == value && st[i].list[1] == (i * 5 + 3) % N + 5 && st[i].in.b == value + 1);
        CHECK(st[i].w == value + 0.5 && st[i].in.a == i + 5 && blocks[i][2] == value + 2);
        CHECK(blocks[i][3] == (i * 5 + 3) % N + 5);
    }
    barrier();
    return 0;
}
