// Barriers and collective calls that all threads reach, by branches, loops and functions, have no message.
//: clause 6.6.1 p8
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>
#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
#define SYNC                                                                                                           \
    do {                                                                                                               \
        upc_barrier;                                                                                                   \
    } while (0)
shared int n, a[THREADS];
int verbose, me;

static void turn(int who) {
    if (who == MYTHREAD) {
        printf("%d\n", who);
        upc_barrier;
    } else
        upc_barrier;
}
static void master(void) {
    for (int i = 0; i < 3; i++) {
        n = i;
        upc_barrier;
    }
}
static void worker(void) {
    for (int i = 0; i < 3; i++)
        upc_barrier;
}
static void die(const char *text) {
    puts(text);
    exit(1);
}
static int some(int workers) {
    if (MYTHREAD < workers)
        upc_barrier;
    return workers;
}
static void phase(int together) {
    a[MYTHREAD]++;
    if (together)
        upc_barrier;
}
static int jumps(int x) {
    if (MYTHREAD == 0)
        goto out;
    x++;
    upc_barrier;
    return x;
out:
    upc_barrier;
    return 0;
}
static void trees(void) {
    for (int s = THREADS / 2; s; s /= 2) {
        if (MYTHREAD < s)
            a[MYTHREAD] += a[MYTHREAD + s];
        upc_barrier;
    }
    for (int s = 1; s < THREADS; s *= 2) {
        int t = MYTHREAD >= s ? a[MYTHREAD - s] : 0;
        upc_barrier;
        if (MYTHREAD >= s)
            a[MYTHREAD] += t;
        upc_barrier;
    }
}
static void turns(void) {
    int t;
    for (t = 0; t < MYTHREAD; t++)
        upc_barrier;
    printf("%d\n", MYTHREAD);
    for (t = MYTHREAD; t < THREADS; t++)
        upc_barrier;
    for (t = 0; t < THREADS; t++) {
        if (t == MYTHREAD)
            break;
        upc_barrier;
    }
    for (; t < THREADS; t++)
        upc_barrier;
    for (t = 0; t < THREADS; t++)
        turn(t);
}
static void sides(void) {
    upc_notify;
    if (MYTHREAD == 0)
        n = 6;
    upc_wait;
    if (MYTHREAD == 0) {
        upc_notify;
        n = 3;
        upc_wait;
    } else
        upc_barrier;
    if (MYTHREAD == 0)
        upc_barrier 1;
    else
        upc_barrier;
    if (MYTHREAD == 0)
        upc_barrier;
    if (MYTHREAD != 0)
        upc_barrier;
    if (MYTHREAD == 0)
        master();
    else
        worker();
    switch (MYTHREAD) {
    case 0: upc_barrier; break;
    default: upc_barrier;
    }
}
static void uniform(int workers) {
    int i, odd = MYTHREAD & 1, low = MYTHREAD * 100 / THREADS, high = (MYTHREAD + 1) * 100 / THREADS;
    if (THREADS > 1)
        upc_barrier;
    if (n || me == 0 || verbose)
        upc_barrier;
    if (MYTHREAD < 4) /* with four threads */
        upc_barrier;
    if (MYTHREAD / 64 == 0 && MYTHREAD < workers && low < high)
        upc_barrier;
    for (i = MYTHREAD * 8; i < (MYTHREAD + 1) * 8; i++)
        upc_barrier;
    for (i = MYTHREAD * workers; i < (MYTHREAD + 1) * workers; i++)
        upc_barrier;
    for (i = MYTHREAD; i < 4 * THREADS; i += THREADS)
        upc_barrier;
    for (i = 0; i < 2; i++) {
        if (odd == i)
            a[MYTHREAD]++;
        upc_barrier;
    }
    while (1) {
        if (MYTHREAD == 0 && n > 3)
            n = 0;
        upc_barrier;
        int stop = n;
        upc_barrier;
        if (stop)
            break;
    }
}
int main(int argc, char **argv) {
    int fine = 1;
    if (MYTHREAD == 0) {
        if (argc > 2)
            fine = 0;
        n = fine;
    }
    SYNC;
    if (MYTHREAD == 0 && argc > 3)
        die(argv[0]);
    if (MYTHREAD == 0)
        phase(0);
    phase(1);
    trees();
    turns();
    sides();
    uniform(some(THREADS) + jumps(1));
    if (MYTHREAD == 0) {
        upc_barrier;
        puts("end");
        exit(0);
    }
    fine = n;
    if (fine)
        upc_barrier;
    upc_all_broadcast(a, &n, sizeof(int), ALL);
    return 0;
}
