/* Two writes one after the other, to random places, to one thread, and similar ones: in the end each element
 * has the value of the last write to it. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 260
#define PLACES 8
struct item { char tag; double value; long count; short part[2]; };
shared [PLACES] long rows[N * THREADS][PLACES], values[N * THREADS][PLACES];
shared long first[N * THREADS], second[N * THREADS];
shared int narrow[N * THREADS];
shared [3] long blocks[3 * N * THREADS];
shared struct item items[N * THREADS];
shared int from[N * THREADS], place[N * THREADS];

static int mixed(int i) { return (int)((i * 1213L + 17) % (N * THREADS)); }

static void init(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; i) {
        from[i] = i * 7 % 101;
        place[i] = mixed(i);
        first[i] = second[i] = narrow[i] = 0;
        for (int k = 0; k < PLACES; k++)
            rows[i][k] = values[i][k] = 0;
    }
    upc_barrier;
}

/* Together: two arrays of a type, an array's members, three in a row, and values of other types. */
static void pairs(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 2
        int c = place[i], at = i % PLACES;
        rows[c][at] = i / 3;
        values[c][at] = from[i] * 2L + at;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 2
        first[place[i]] = i;
        second[place[i]] = -i;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 4
        int p = place[i];
        items[p].tag = i;
        items[p].value = i * 0.5;
        items[p].count = 3L * i + THREADS;
        items[p].part[1] = i;
    }
    upc_barrier;
}

/* The second write uses the object that the first has written, or may use it, or goes elsewhere. */
static void alone(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 2
        first[place[i]] = i + 5;
        second[place[i]] = first[place[i]] + 1;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 3
        int p = place[i];
        first[p] = i;
        first[p] = first[p] * 2;
        first[p] = 3 - i;
    }
    upc_barrier;
    long *own = (long *)&first[MYTHREAD];
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 2
        int p = i - i % THREADS + MYTHREAD;
        p = p + place[p] * 0;
        first[p] = i * 9;
        second[p] = own[p / THREADS];
    }
    upc_barrier;
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 3
        int p = place[i];
        narrow[p] = i + 1;
        second[p] = i + 2;
        blocks[p] = i + 3;
    }
    upc_barrier;
}

int main(void) {
    init();
    pairs();
    alone();
    if (MYTHREAD == 0) {
        for (int i = 0; i < N * THREADS; i++) {
            printf("%d: %ld %ld %d %d %.1f %ld %d\n", i, first[i], second[i], narrow[i], items[i].tag,
                   items[i].value, items[i].count, items[i].part[1]);
            for (int k = 0; k < PLACES; k++)
                printf("%d %d: %ld %ld\n", i, k, rows[i][k], values[i][k]);
        }
        for (int i = 0; i < 3 * N * THREADS; i++)
            printf("%d: %ld\n", i, blocks[i]);
    }
    upc_barrier;
    return 0;
}
