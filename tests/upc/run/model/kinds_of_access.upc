// Every form of access to the memory of another thread, of every kind of object, relaxed and strict.
//: clause 6.5.1.1 p1
#include <upc_relaxed.h>
#include "check.h"

typedef int quad __attribute__((vector_size(16)));

struct inner {
    short a[3];
    unsigned low : 5, : 3, high : 11;
    int small : 4;
    _Bool flag : 1;
    unsigned long wide : 40;
};
struct all {
    char c;
    volatile int v;
    float f;
    double d[4];
    long double l;
    _Complex double z;
    __int128 i;
    quad q;
    struct inner in[2];
    shared int *p;
    shared [3] int *blocked;
    int *own;
};

shared struct all all[THREADS], copy[THREADS];
shared int numbers[4 * THREADS];
shared [3] int threes[3 * THREADS];
shared [] int *shared rows[THREADS];
strict shared int flag[THREADS];

static int calls;
static int add_to(shared int *p) {
    calls++;
    return *p += 10;
}

static void scalars(int t) {
    all[t].c = 'x';
    all[t].c += 2;
    CHECK(all[t].c == 'z' && all[t].c++ == 'z' && all[t].c == '{' && --all[t].c == 'z');
    all[t].v = 7;
    all[t].v <<= 2;
    CHECK(all[t].v == 28);
    all[t].f = 1.5f;
    all[t].f *= 3;
    CHECK(all[t].f == 4.5f);
    all[t].l = 1.25L;
    all[t].l -= 1;
    CHECK(all[t].l == 0.25L);
    all[t].z = 3;
    __imag__ all[t].z = 4;
    __real__ all[t].z += 1;
    CHECK(__real__ all[t].z == 4 && __imag__ all[t].z == 4);
    all[t].i = (__int128)1 << 100;
    all[t].i++;
    CHECK(all[t].i == ((__int128)1 << 100) + 1);
    all[t].q = (quad){1, 2, 3, 4};
    all[t].q[2] = 9;
    all[t].q[3]++;
    quad q = all[t].q;
    CHECK(q[0] == 1 && q[1] == 2 && q[2] == 9 && q[3] == 5);
    for (int i = 0; i < 4; i++)
        all[t].d[i] = i + 0.5;
    for (int i = 0; i < 4; i++)
        CHECK((all[t].d[i] /= 2) == (i + 0.5) / 2);
}

static void fields(int t) {
    shared struct inner *in = (shared struct inner *)&all[t].in[1];
    shared [] struct inner *near = (shared [] struct inner *)in;
    for (int i = 0; i < 3; i++)
        near->a[i] = (short)(i - 1);
    near->low = 31;
    near->high = 2047;
    near->small = -8;
    near->flag = 5;
    near->wide = (1UL << 40) - 1;
    CHECK(near->low == 31 && near->high == 2047 && near->small == -8 && near->flag == 1);
    CHECK(near->wide == (1UL << 40) - 1 && near->a[0] == -1 && near->a[2] == 1);
    CHECK((near->low = add_to(&numbers[t]) + 25) == 3 && near->low == 3 && near->low - 4 < 0);
    CHECK((near->small += 3) == -5 && near->small++ == -5 && --near->small == -5);
    near->high ^= 0x555;
    near->wide >>= 4;
    CHECK(near->high == (2047 ^ 0x555) && near->wide == (1UL << 36) - 1 && near->flag && near->low == 3);
}

static void pointers(int t) {
    all[t].p = &numbers[t];
    all[t].p++;
    CHECK(all[t].p == &numbers[t + 1] && all[t].p-- == &numbers[t + 1]);
    all[t].blocked = &threes[1];
    all[t].blocked += 3;
    CHECK(all[t].blocked == &threes[4] && upc_phaseof(all[t].blocked) == 1);
    rows[t] = (shared [] int *)&threes[3 * t];
    for (int i = 0; i < 3; i++)
        rows[t][i] = i + t;
    for (int i = 0; i < 3; i++)
        CHECK(threes[3 * t + i] == i + t && rows[t][i]++ == i + t);
    numbers[t] = 1;
    numbers[t] += add_to(&numbers[t]);
    CHECK(calls == 2 && numbers[t] == 22);
}

static void objects(int t) {
    copy[t] = all[t];
    struct all mine = copy[t];
    CHECK(mine.c == 'z' && mine.d[3] == 1.75 && mine.in[1].low == 3 && mine.blocked == &threes[4]);
    mine.d[3] = 8;
    copy[t].in[0] = mine.in[1];
    all[t] = mine;
    CHECK(all[t].d[3] == 8 && copy[t].in[0].high == (2047 ^ 0x555));
    flag[t] = 3;
    flag[t] *= 2;
    CHECK(flag[t]++ == 6 && flag[t] == 7);
    int five[5] = {1, 2, 3, 4, 5}, back[3];
    upc_memput(&threes[3 * t], five, 3 * sizeof(int));
    upc_memget(back, &threes[3 * t], sizeof back);
    CHECK(back[0] == 1 && back[2] == 3);
    upc_memset(&threes[3 * t], 255, sizeof(int));
    CHECK(threes[3 * t] == -1 && threes[3 * t + 1] == 2);
}

int main(void) {
    int t = (MYTHREAD + 1) % THREADS;
    scalars(t);
    fields(t);
    pointers(t);
    upc_barrier;
    objects(t);
    upc_barrier;
    CHECK(all[MYTHREAD].d[3] == 8 && flag[MYTHREAD] == 7 && all[MYTHREAD].in[1].small == -5);
    return 0;
}
