// Reads of own elements, and of others' after a synchronisation of any kind, have no message.
//: clause 5.1.2.1 p1
#include <unistd.h>
#include <upc.h>
#define N 64
shared int a[THREADS], b[THREADS], n, flag, v[N * THREADS], w[N * THREADS];
strict shared int order;
shared[N] int rows[THREADS][N];
shared struct {
    int x, y;
} p[THREADS];
upc_lock_t *lock;

/* Called by the threads in turn. */
static int prefix(void) {
    a[MYTHREAD] = 4;
    return a[(MYTHREAD + THREADS - 1) % THREADS];
}
static int own(void) {
    int i, s = 0, me = MYTHREAD, next = (MYTHREAD + 1) % THREADS;
    upc_barrier;
    a[me] = 1;
    s += a[MYTHREAD] + b[next] + sizeof(a[next]) + upc_threadof(&a[next]);
    p[MYTHREAD].x = 1;
    s += p[next].y;
    v[MYTHREAD] = 1;
    v[MYTHREAD + THREADS] = v[MYTHREAD];
    if (THREADS == 1)
        s += a[next];
    for (i = 0; i < THREADS; i++)
        if (i == MYTHREAD)
            s += a[i];
    upc_barrier;
    a[next] = 1;
    s += a[next];
    for (i = MYTHREAD; i < N * THREADS; i += THREADS)
        w[i] = i;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS)
        s += w[i];
    upc_forall(i = 0; i < N * THREADS; i++; i) v[i] = i;
    upc_forall(i = 0; i < N * THREADS; i++; &v[i]) w[i] = v[i];
    for (i = 0; i < N; i++)
        rows[MYTHREAD][i] = i;
    for (i = 0; i < N; i++)
        s += rows[MYTHREAD][i];
    upc_barrier;
    a[MYTHREAD] = s;
    for (i = 0; i < THREADS; i++) {
        if (i != MYTHREAD)
            continue;
        s += a[i];
    }
    return s;
}
static int waits(void) {
    int i, s = 0, next = (MYTHREAD + 1) % THREADS;
    upc_barrier;
    a[MYTHREAD] = 2;
    upc_notify;
    upc_wait;
    s += a[next];
    a[MYTHREAD] = 2;
    order = 1;
    s += a[next];
    a[MYTHREAD] = 3;
    while (!flag)
        ;
    s += a[next];
    a[MYTHREAD] = 3;
    while (1) {
        if (flag)
            break;
        usleep(1);
    }
    s += a[next];
    a[MYTHREAD] = 1;
    do {
        s = flag;
    } while (!s);
    s += a[next];
    if (MYTHREAD == 0) {
        n = 4;
        flag = 1;
    } else {
        while (!flag)
            ;
    }
    s += n;
    upc_lock(lock);
    a[MYTHREAD] = 1;
    for (i = 0; i < THREADS; i++)
        s += a[i];
    upc_unlock(lock);
    for (i = 0; i < 4; i++) {
        s += a[next];
        upc_barrier;
        a[MYTHREAD] = i;
        upc_barrier;
    }
    for (i = 0; i < THREADS; i++) {
        if (i == MYTHREAD)
            s += prefix();
        upc_barrier;
    }
    return s;
}
int main(void) {
    int s = own();
    lock = upc_all_lock_alloc();
    s += waits();
    if (MYTHREAD == 0)
        n = 5;
    if (MYTHREAD == 0)
        s += n;
    upc_barrier;
    s += n;
    if (MYTHREAD == 0)
        n = 3;
    else
        n = 3;
    s += n;
    if (MYTHREAD == 0)
        n = 1;
    n = 4;
    s += n;
    upc_barrier;
    if (MYTHREAD == 0)
        n = 1;
    if (MYTHREAD)
        return s;
    return s + n;
}
