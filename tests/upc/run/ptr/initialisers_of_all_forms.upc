// Static initialisers that are addresses of shared objects in every form of C's address constants: choices
// by constants, subscripted pointers, members by arrows, arrays in members, ranges of elements.
//: clause 6.5.2.1 p6
//: clause 6.4.4 p1
#include "../../check.h"

enum { TWO = 2 };
shared int a[10 * THREADS];
shared [3] double b[9 * THREADS];
shared [] char s[20];
shared struct record {
    int x;
    struct {
        double d[2][3];
        char c[4];
    } in;
    union {
        int i[3];
        long l;
    } u;
    struct {
        short h;
        int k;
    } list[3];
} one, many[3 * THREADS];
shared [] struct record solid[4];

shared int *chosen = 1 ? &a[1] : 0, *other = 0 ? 0 : a, *none = 1 ? 0 : &a[2];
shared int *subscripted = &(&a[2])[3], *both = &*&a[3], *sums = (a + 1) + 2;
shared int *size = &a[sizeof(int)], *back = &a[5] - 1;
shared [] double *rows[] = {&one.in.d[1][2], one.in.d[1], *one.in.d + 1, &(*(one.in.d + 1))[1],
                            one.in.d[1] - 2, *(&one.in.d[0] + 1), &(&one.in.d)[0][1][1]};
shared [] double *arrows[] = {(&solid[1])->in.d[1] + 2, &(solid + 3)->in.d[1][0],
                              &(*(solid + TWO)).in.d[0][1]};
shared [] int *parts[] = {&many[4].u.i[2], many[1].u.i + 1, &(one.list + 1)->k, &one.list[TWO].k,
                          &(&many[1])[1].list->k};
shared [] char *bytes[] = {&s[3], s + sizeof s - 1, &solid[TWO].in.c[TWO]};
shared void *generic[] = {&many[2], (shared void *)&b[4], 0, 1 ? (shared void *)&b[5] : 0};
shared int *table[6] = {[0 ... 2] = &a[2], [4] = a + 4, [5] = &a[1], [5] = &a[5], [1] = 0};
struct pair {
    shared int *p, *q[3];
} pairs[3] = {[0 ... 1] = {&a[1], {[1 ... 2] = a + 7}}};

int main(void) {
    CHECK(chosen == &a[1] && other == a && !none);
    CHECK(subscripted == &a[5] && both == &a[3] && sums == &a[3] && size == &a[4] && back == &a[4]);
    CHECK(rows[0] == &one.in.d[1][2] && rows[1] == &one.in.d[1][0] && rows[2] == &one.in.d[0][1]);
    CHECK(rows[3] == &one.in.d[1][1] && rows[4] == &one.in.d[0][1] && rows[5] == &one.in.d[1][0]);
    CHECK(rows[6] == &one.in.d[1][1]);
    CHECK(arrows[0] == &solid[1].in.d[1][2] && arrows[1] == &solid[3].in.d[1][0]);
    CHECK(arrows[2] == &solid[2].in.d[0][1]);
    CHECK(parts[0] == &many[4].u.i[2] && parts[1] == &many[1].u.i[1] && parts[2] == &one.list[1].k);
    CHECK(parts[3] == &one.list[2].k && parts[4] == &many[2].list[0].k);
    CHECK(bytes[0] == &s[3] && bytes[1] == &s[19] && bytes[2] == &solid[2].in.c[2]);
    CHECK(generic[0] == &many[2] && generic[1] == &b[4] && !generic[2] && generic[3] == &b[5]);
    CHECK_EQ(upc_phaseof(generic[1]), 1);
    CHECK_EQ(upc_phaseof(generic[3]), 2);
    CHECK(table[0] == &a[2] && !table[1] && table[2] == &a[2] && !table[3]);
    CHECK(table[4] == &a[4] && table[5] == &a[5]);
    for (int i = 0; i < 2; i++) {
        CHECK(pairs[i].p == &a[1] && !pairs[i].q[0] && pairs[i].q[1] == &a[7] && pairs[i].q[2] == &a[7]);
        CHECK(!pairs[2].p && !pairs[2].q[i]);
    }
    return 0;
}
