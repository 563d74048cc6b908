/* Bodies of shared-out loops: a body that can be written twice, and is left only by its end or `continue`,
   may run over own rows. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#define N 24
shared int a[N * THREADS];
shared [3] int b[3 * N * THREADS];

static void into(int i) {
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 1;
    a[MYTHREAD] += i;
}

static void leave(int last) {
    for (int t = 0; t < 2; t++)
        upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) { //> not forall: the body cannot be duplicated
            a[i] += 1;
            if (i == last)
                goto out;
        }
out:
    a[MYTHREAD] += 1;
}

int main(void) {
    int i, j, taken = 0, *p = &taken;
    long s = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) { //> forall: own rows of [a], 1 a block
        switch (i % 3) {
        case 0:
            a[i] = 1;
            break;
        case 1:
            a[i] = 2;
        default:
            a[i] += 3;
        }
    }
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) { //> forall: own rows of [a], 1 a block
        for (j = 0; j < 9; j++) {
            if (j > i % 5)
                break;
            a[i] += j;
        }
        while (j > 0)
            if (j-- % 2)
                continue;
        do {
            if (j > 3)
                break;
            a[i] += j++;
        } while (j < 9);
    }
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) { //> forall: own rows of [a], 1 a block
        auto int kept = i % 2;
        register int fast = i % 3;
        if (kept)
            continue;
        a[i] += fast;
    }
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += abs(i - 3);
    upc_forall (i = 0; i < N * THREADS; i++; i) { //> forall: own rows of [a], 1 a block
        a[i] += b[i] & 0;
        a[(i + THREADS) % (N * THREADS)] += 0 * i;
    }
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; continue)
        s += i;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) { //> not forall: the body cannot be duplicated
        a[i] += 4;
        if (i < 0)
            goto next;
        a[i] += 5;
    next:;
    }
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> not forall: the body cannot be duplicated
        a[i] += ({ int twice = 2 * i; twice; });
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) { //> not forall: the body cannot be duplicated
        extern int printf(const char *, ...);
        a[i] += 6;
    }
    /* Only the name of the variable is known. */
    upc_forall (taken = 0; taken < N * THREADS; taken++; &a[taken]) //> not forall: the loop's variable is not an
        a[taken] += 7;
    upc_forall (i = 0; i < N; i++; &a[i]) { //> not forall: the body assigns the loop's variable
        a[i] += 8;
        i++;
        i--;
    }
    upc_forall (shared int *q = a; q < a + N; q++; q) //> not forall: the loop's variable is not an
        *q += 9;
    into(5);
    leave(2 * N * THREADS);
    upc_barrier;
    for (i = 0; i < N * THREADS; i++)
        s = (3 * s + a[i]) % 1000003;
    printf("%ld %d %d\n", s, *p, j);
    upc_barrier;
    return 0;
}
