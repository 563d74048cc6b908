/* The address of an iteration's read must be known before the iteration runs: writes that may change it are
 * tested as the loop runs. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 600
shared int a[N * THREADS], one;
int k[N + 1], *p = k;
float f[N];

static int other(int i) { return (i * 3) % N; }
static int another(int i) { return (i * 3 + k[0]++) % N; }

int main(void) {
    long s = 0;
    int x = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        a[i] = (7 * i) % N;
    if (MYTHREAD == 0)
        one = 1;
    upc_barrier;

    /* Objects of one byte may be parts of any object: C 6.5p7. */
    for (int i = 0; i <= N; i++)
        k[i] = 1;
    unsigned char *c = (unsigned char *)k;
    for (int i = 0; i < N; i++) { //> prefetch: [a], up to written objects
        s += a[k[i]];
        c[(i + 1) * sizeof(int)] = 3;
    }
    /* Objects of other types are not: these writes leave k unchanged. */
    for (int i = 0; i < N; i++) { //> prefetch: [a]
        s += a[k[i]];
        f[i] = i;
    }
    /* The same type, by a pointer. */
    for (int i = 0; i < N; i++) { //> prefetch: [a], up to written objects
        s += a[k[i]];
        p[i + 1] = (k[i] + 2) % N;
    }
    /* The array itself. */
    for (int i = 0; i < N; i++) { //> prefetch: [a], up to written objects
        s += a[k[i]];
        k[i + 1] = (k[i] + 5) % N;
    }
    /* Each value is the address of the next read. */
    for (int i = 0; i < N; i++) //> not prefetch: the address of an
        x = a[(x + 1) % N];
    /* A pointer that the loop moves. */
    shared int *q = a;
    for (int i = 0; i < N; i++) { //> not prefetch: the address of an
        s += *q;
        q = &a[(7 * i) % N];
    }
    /* A call whose value depends on its argument alone, and one that may do anything. */
    for (int i = 0; i < N; i++) //> prefetch: [a]
        s += a[other(i)];
    for (int i = 0; i < N; i++) //> not prefetch: the loop calls a function
        s += a[another(i)];
    /* Not only the step changes the variable. */
    for (int i = 0; i < N; i++) { //> not prefetch: the loop's variable is changed
        s += a[i];
        i += s & 1;
    }
    /* The condition's read is done once. */
    for (int i = 0; i < N * one; i++) //> prefetch: [a]
        s += a[i];
    /* A step that the body changes. */
    int by = 1;
    for (int i = 0; i < N; i += by) { //> not prefetch: the loop's step
        s += a[i];
        by = 1 + (s & 1);
    }
    printf("%ld %d\n", s, x);
    upc_barrier;
    return 0;
}
