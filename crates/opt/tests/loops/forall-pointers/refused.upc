/* Shared-out loops by a pointer that have to go through all elements. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 30

shared int a[N * THREADS], other[N * THREADS];
shared [] int whole[N];
shared [2] int rows[N][2 * THREADS];

static shared int *end_of(void) { return a + N * THREADS; }
static void step(shared int **p) { ++*p; }

int main(void) {
    shared int *p, *end = a + N * THREADS, *q = other, *known;
    long sum = 0;
    upc_forall (p = a; p < end; p += 2; p) //> not forall-pointers: the loop's step
        *p = 1;
    upc_barrier;
    upc_forall (p = a; p < end_of(); p++; p) //> not forall-pointers: the loop's bound
        *p += 2;
    upc_barrier;
    upc_forall (p = a; end - p > 0; p++; p) //> not forall-pointers: the loop's condition
        *p += 3;
    upc_barrier;
    upc_forall (p = a; p < end - 1; p++; p + 1) //> not forall-pointers: the affinity
        p[1] += 4;
    upc_barrier;
    upc_forall (p = a; p < end; p++; q) //> not forall-pointers: the affinity
        *p += 5;
    upc_barrier;
    upc_forall (p = a; p < end; p++; p) { //> not forall-pointers: the body cannot be duplicated
        static int kept;
        *p += kept++ & 0;
    }
    upc_barrier;
    upc_forall (p = a; p < end; p++; p) { //> not forall-pointers: the loop's bound
        *p += 6;
        end = a + (N * THREADS - 1);
    }
    upc_barrier;
    upc_forall (shared [] int *w = whole; w < whole + N; w++; w) //> not forall-pointers: the pointer's elements are
        *w = 7;
    upc_forall (known = a; known < end; known++; known) { //> not forall-pointers: the body assigns the loop's pointer
        *known += 8;
        if (known == &a[N * THREADS - 3]) {
            step(&known);
            step(&known);
        }
    }
    upc_barrier;
    /* Inside another upc_forall every thread runs every iteration. */
    upc_forall (int t = 0; t < THREADS; t++; t) {
        upc_forall (shared int *i = a; i < &a[N]; i++; i)
            sum += *i;
    }
    for (int i = 0; i < N * THREADS; i++)
        sum = (3 * sum + a[i] + whole[i % N] + rows[i % N][0]) % 1000003;
    printf("%d: %ld\n", MYTHREAD, sum);
    upc_barrier;
    return 0;
}
