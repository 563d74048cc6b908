/* Unused values, and functions without a value. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
shared int a[N * THREADS];
static int count;
typedef struct {
    int x, y;
} pair;
static int next(int x) {
    a[x] += 1;
    return count++ + x;
}
static void chosen(int x) {
    if (a[x] > 5) {
        count += 3;
        return (void)count--;
    }
    return (void)(count += 7, a[x]);
}
static pair both(int x) {
    pair p = {a[x], count++};
    return p;
}
static int searched(int x) {
    for (int i = x; i < N; i++)
        if (a[i] == 7)
            return ++count;
    return count += 2;
}
static int last(int x) {
    while (x < N)
        if (a[x++] & 1)
            return count += x;
}

int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        a[i] = (i * 7 + 1) % 23;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 0; i < N - 2; i++) {
            next(i);
            (void)next(i + 1);
            chosen(i);
            both(i);
            searched(i);
            if (i < N / 2)
                last(i);
            else
                next(i), chosen(i);
            switch (i % 3) {
            case 0: next(i); break;
            case 1: chosen(i);
            default: searched(i);
            }
        }
        printf("%d\n", count);
        for (int i = 0; i < N; i++)
            printf("%d\n", a[i]);
    }
    return 0;
}
