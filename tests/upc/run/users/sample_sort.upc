// A sample sort of structures: qsort over cast pointers with comparison functions, splitters from
// samples in a shared array, blocks moved by upc_memget.
//: clause 7.2.5.2 p2
#include <string.h>
#include "../../check.h"

typedef struct {
    int key;
    char name[8];
    double weight;
} item;
enum { EACH = 60, SAMPLES = 8 };

shared[EACH] item items[EACH * THREADS];
shared[SAMPLES] item samples[SAMPLES * THREADS];
shared[] item *shared results[THREADS];
shared int counts[THREADS];
shared[65] int cuts[THREADS][65]; /* up to 64 threads */

static int by_key(const void *a, const void *b) {
    const item *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : strcmp(x->name, y->name);
}

int main(void) {
    item *mine = (item *)&items[MYTHREAD * EACH];
    long sum = 0, again = 0;
    for (int i = 0; i < EACH; i++) {
        mine[i].key = (i * i * 31 + MYTHREAD * 17) % 500;
        snprintf(mine[i].name, sizeof mine[i].name, "%d.%d", (int)MYTHREAD, i);
        mine[i].weight = mine[i].key / 2.0;
    }
    qsort(mine, EACH, sizeof(item), by_key);
    for (int i = 0; i < SAMPLES; i++)
        samples[MYTHREAD * SAMPLES + i] = mine[i * EACH / SAMPLES];
    upc_barrier;
    item all[SAMPLES * THREADS];
    for (int t = 0; t < THREADS; t++)
        upc_memget(&all[t * SAMPLES], &samples[t * SAMPLES], SAMPLES * sizeof(item));
    qsort(all, SAMPLES * THREADS, sizeof *all, by_key);
    int at = 0;
    for (int t = 0; t < THREADS; t++) {
        cuts[MYTHREAD][t] = at;
        if (t < THREADS - 1)
            while (at < EACH && by_key(&mine[at], &all[(t + 1) * SAMPLES]) < 0)
                at++;
    }
    cuts[MYTHREAD][THREADS] = EACH;
    upc_barrier;
    int n = 0;
    for (int t = 0; t < THREADS; t++)
        n += cuts[t][MYTHREAD + 1] - cuts[t][MYTHREAD];
    results[MYTHREAD] = (shared[] item *)upc_alloc((n + 1) * sizeof(item));
    item *got = (item *)results[MYTHREAD];
    counts[MYTHREAD] = n;
    n = 0;
    for (int t = 0; t < THREADS; t++) {
        int from = cuts[t][MYTHREAD], many = cuts[t][MYTHREAD + 1] - from;
        upc_memget(got + n, &items[t * EACH + from], many * sizeof(item));
        n += many;
    }
    qsort(got, n, sizeof(item), by_key);
    upc_barrier;
    item last = {-1, "", 0};
    int total = 0;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < counts[t]; i++, total++) {
            item here = results[t][i];
            CHECK(by_key(&last, &here) <= 0 && here.weight == here.key / 2.0);
            last = here;
            sum += here.key;
        }
    CHECK_EQ(total, EACH * THREADS);
    for (int i = 0; i < EACH * THREADS; i++)
        again += items[i].key;
    CHECK_EQ(sum, again);
    upc_barrier;
    upc_free(results[MYTHREAD]);
    return 0;
}
