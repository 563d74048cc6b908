/* Which loops have an access that has to ask where its object is: reads, writes and updates of shared objects
   anywhere in the loop, but no addresses and sizes, and no own objects of the thread. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
shared int a[N * THREADS], flag, stop;
shared [] int *shared where;
shared struct pair { int n, m[3]; } r[N * THREADS];
struct pair one;

int main(void) {
    int i, n = 0;
    long s = 0;
    shared int *p;
    shared [] int *mine = (shared [] int *)upc_alloc(N * sizeof(int));
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> not versioning: no access in the loop needs a locality test
        a[i] = i;
    if (MYTHREAD == 0) {
        where = mine;
        stop = N;
    }
    upc_barrier;
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        r[i].n = r[i].m[1] = i;
    upc_barrier;
    for (i = flag; i < N; i++) //> versioning: for one host and for several
        n++;
    for (i = 0; i < stop; i++) //> versioning: for one host and for several
        n++;
    for (i = 0; i < N; i += a[1] + 1) //> versioning: for one host and for several
        n++;
    for (int first = a[2]; first < N; first++) //> versioning: for one host and for several
        n++;
    for (i = 0; i < N; i++) { //> versioning: for one host and for several
        int inner = a[i];
        n += inner;
    }
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        n += (i & 1) ? (int)(-a[i]) : 1;
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        s += *where;
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        s += mine[i] * 0;
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        one = r[i];
    upc_barrier;
    if (MYTHREAD == 0)
        for (i = 0; i < N; i++) //> versioning: for one host and for several
            (r + i)->m[0]++;
    upc_barrier;
    for (p = a; p < a + N; p++) //> versioning: for one host and for several
        s += *p;
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        upc_memget(&n, &a[i], sizeof(int));
    /* Addresses, sizes, and numbers of threads. */
    for (i = 0; i < N; i++) //> not versioning: no access in the loop needs a locality test
        n += &a[i] == &a[3];
    for (i = 0; i < N; i++) //> not versioning: no access in the loop needs a locality test
        n += sizeof(a[i]) + sizeof r[i].m;
    for (i = 0; i < N; i++) //> not versioning: no access in the loop needs a locality test
        p = a + i;
    for (i = 0; i < N; i++) //> not versioning: no access in the loop needs a locality test
        n += &r[i].m[1] != 0;
    for (i = 0; i < N; i++) //> not versioning: no access in the loop needs a locality test
        n += one.m[i % 3];
    do {
        s += a[1];
    } while (0);
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) //> not versioning: no access in the loop needs a locality test
        s += a[i];
    upc_forall (i = 0; i < N * THREADS; i++; &r[i]) //> not versioning: no access in the loop needs a locality test
        r[i].m[1] += r[i].n;
    upc_barrier;
    upc_forall (i = 0; i < N; i++; &a[i]) //> versioning: for one host and for several
        a[i] = r[i + 1].n;
    printf("%ld %d %d %d\n", s, n, one.n, p == a);
    upc_barrier;
    return 0;
}
