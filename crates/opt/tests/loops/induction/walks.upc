/* Pointers that walk through the memory of one thread. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 400
shared int a[N * THREADS];
shared [N] double b[N * THREADS];
shared [] int *shared dir[THREADS];
struct pair { int x, y; };
shared struct pair pairs[N * THREADS];

static long walk(shared [] int *p, shared [] int *end, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) //> induction: [p]
        s = 3 * s + *p++;
    for (int i = 0; i < n; i++) { //> induction: [p]
        p--;
        s = 3 * s + *p + p[i / 2];
    }
    while (n--) //> induction: [p]
        *p++ += 5;
    s += p == end;
    while (p != end) //> not induction: the loop's pointers are
        *p++ = 3;
    return s;
}

static long by_steps(shared [] int *p, shared [] int *q, int n, int by) {
    long s = 0;
    for (int i = 0; i < n; i += by, p += by, q++) { //> induction: [p q]
        if (i % 3 == 1)
            continue;
        s += *p;
        *q = (int)s % 100 + p[-1 + by];
    }
    s += *p + *q;
    for (int i = 0; i < n; i += by) { //> not induction: the loop's pointers are
        shared [] int *here = q - 1;
        s += *here++;
        q -= 1;
        s += *q;
    }
    /* Both loops step the pointer. */
    for (int i = 0; i < 4; i++) { //> induction: [q]
        for (int j = 0; j < 5; j++)
            s = 3 * s + *q++;
        q -= 5;
    }
    return s + *q;
}

static void turns(shared int *p, int n) {
    for (int i = 0; i < n; i++) { //> induction: [p]
        *p = 7 * i;
        p += THREADS;
    }
    for (int i = 0; i < n; i++) { //> induction: [p]
        p -= THREADS;
        *p = *p + i;
    }
}

/* Uses that are more than an access or a step. */
static long refused(shared [] int *p, shared struct pair *r, int n) {
    long s = 0;
    shared [] int *from = p, **at = &from;
    for (int i = 0; i < n; i++) //> not induction: the loop's pointers are
        s += *p++ + (p - from);
    for (int i = 0; i < n; i++) { //> not induction: the body synchronises, leaves
        s += *p;
        p--;
        if (s == 12345)
            break;
    }
    for (int i = 0; i < n; i++) {
        s += *from++;
        (*at)++;
        (*at)--;
    }
    for (int i = 0; i < n; i++) { //> not induction: the loop's pointers are
        s += r->y;
        r->x = 1;
        r += THREADS;
        s += (*r).x;
    }
    return s;
}

int main(void) {
    shared [] int *own = upc_alloc(2 * N * sizeof(int));
    long s = 0;
    dir[MYTHREAD] = own;
    for (int i = 0; i < 2 * N; i++)
        own[i] = i % 13;
    upc_forall (int i = 0; i < N * THREADS; i++; &pairs[i]) {
        pairs[i].x = i;
        pairs[i].y = 2 * i;
    }
    upc_barrier;
    s += walk(own + 1, own + N + 20, N);
    turns(&a[MYTHREAD], N);
    upc_barrier;
    if (MYTHREAD == 0)
        for (int t = 0; t < THREADS; t++) {
            s += by_steps(dir[t] + 1, dir[t] + N, N / 2, 2);
            s += by_steps(dir[t] + 1, dir[t] + 2, N / 2, 1);
        }
    upc_barrier;
    s += refused(own, &pairs[MYTHREAD], N / 2);
    for (int i = 0; i < N * THREADS; i++) {
        s = (3 * s + a[i]) % 1000003;
        b[i] = 1;
    }
    for (int i = 0; i < 2 * N; i++)
        s = (3 * s + own[i]) % 1000003;
    printf("%ld\n", s);
    upc_barrier;
    return 0;
}
