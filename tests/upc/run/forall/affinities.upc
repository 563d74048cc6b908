// Every kind of affinity expression: continue, integers of all signs and widths, pointers-to-shared of
// all layouts, shared void, NULL, pointers that change during the loop, expressions with effects, loops
// in loops and in functions, several variables, empty clauses, `continue` and nested breaks in the
// body.
//: clause 6.6.2 p4
#include "../../check.h"

#define N 17
shared int cyclic[N * THREADS];
shared [4] short blocked[N * THREADS];
shared [] char lone[N];
shared [*] double spread[N * THREADS];
shared int ran[THREADS];
shared [1] int seen[4 * N * THREADS];

static int mod(long a) { return (int)((a % THREADS + THREADS) % THREADS); }

static int all(void) {
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += ran[t];
    upc_barrier;
    ran[MYTHREAD] = 0;
    return sum;
}

static int evaluated;
static long counted(long i) {
    evaluated++;
    return i;
}
static shared void *place(int i) {
    return i % 3 == 0   ? (shared void *)&cyclic[i]
           : i % 3 == 1 ? (shared void *)&blocked[i]
                        : (shared void *)&spread[i];
}

static void inner(int i) {
    upc_forall (int j = 0; j < N; j++; j)
        seen[i * N + j]++;
}

int main(void) {
    upc_forall (int i = 0; i < N; i++; continue)
        ran[MYTHREAD]++;
    CHECK_EQ(all(), N * THREADS);
    upc_forall (long i = -N; i < N; i++; i) {
        CHECK_EQ(mod(i), MYTHREAD);
        ran[MYTHREAD]++;
    }
    CHECK_EQ(all(), 2 * N);
    upc_forall (signed char i = -100; i < 100; i += 7; i * 3 - 1) {
        CHECK_EQ(mod(i * 3 - 1), MYTHREAD);
        ran[MYTHREAD]++;
    }
    CHECK_EQ(all(), 29);
    upc_forall (int i = 3 * N; i >= 0; i -= 2; &blocked[i / 3]) {
        if (i % 4 == 1)
            continue;
        ran[MYTHREAD]++;
        for (int j = 0;; j++)
            if (j == i)
                break;
        CHECK_EQ(i / 3 / 4 % THREADS, MYTHREAD);
    }
    CHECK_EQ(all(), 13);
    upc_forall (int i = 0; i < N * THREADS; i++; place(i)) {
        CHECK_EQ(upc_threadof(place(i)), MYTHREAD);
        ran[MYTHREAD]++;
    }
    CHECK_EQ(all(), N * THREADS);
    evaluated = 0;
    upc_forall (int i = 0; i < N; i++; counted(i * 5L))
        ran[MYTHREAD]++;
    CHECK_EQ(evaluated, N);
    CHECK_EQ(all(), N);
    shared [4] short *p = blocked;
    upc_forall (; p < blocked + N; p++; p) {
        *p = (short)(p - blocked);
        ran[MYTHREAD]++;
    }
    CHECK_EQ(p - blocked, N);
    CHECK_EQ(all(), N);
    for (int i = 0; i < N; i++)
        CHECK_EQ(blocked[i], i);
    upc_barrier;
    upc_forall (int i = 0, j = N; i < j; i++, j--; &lone[i]) {
        CHECK_EQ(MYTHREAD, 0);
        lone[i] = (char)j;
        ran[MYTHREAD]++;
    }
    CHECK_EQ(all(), N / 2 + 1);
    /* Only the outermost is shared out, functions included. */
    upc_forall (int i = 0; i < 4; i++; i)
        inner(i * THREADS);
    upc_forall (int i = 0; i < 4; i++; &cyclic[i])
        upc_forall (int k = 0; k < 3; k++; &spread[k])
            upc_forall (int l = 0; l < 2; l++; continue)
                ran[MYTHREAD]++;
    CHECK_EQ(all(), 24);
    for (int i = 0; i < 4 * N * THREADS; i++)
        CHECK_EQ(seen[i], i % (N * THREADS) < N);
    upc_barrier;
    upc_forall (int i = 0; i < 5; i++; (shared int *)0)
        ran[MYTHREAD]++;
    CHECK_EQ(all(), 5);
    upc_forall (unsigned long long u = 0xfffffffffffffff0ull; u != 0; u++; u) {
        CHECK_EQ(u % (unsigned long long)THREADS, MYTHREAD);
        ran[MYTHREAD]++;
    }
    CHECK_EQ(all(), 16);
    return 0;
}
