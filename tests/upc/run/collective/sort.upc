// upc_all_sort: every block size and phase, few and no elements, equal elements that stay in order, elements
// of any size, and every flag.
#include "../../check.h"
#include <upc_collective.h>

#define N (37 * THREADS + 5)

struct record {
    short key;
    char text[5];
    int number;
};

static int by_value(shared void *a, shared void *b) {
    int x = *(shared int *)a, y = *(shared int *)b;
    return x < y ? -1 : x > y;
}
static int by_key(shared void *a, shared void *b) {
    return ((shared struct record *)a)->key - ((shared struct record *)b)->key;
}
static int down(shared void *a, shared void *b) { return by_value(b, a); }

#define VALUES(B) shared [B] int values##B[1000 * THREADS]
VALUES(1);
VALUES(3);
VALUES(64);
VALUES(1000);
shared [] int values0[1000];
shared [4] struct record records[50 * THREADS];

static int made(int i, int seed) { return (int)((unsigned)(i + seed) * 2654435761u >> 20); }

/* Fills `count' elements from `first' on, and sorts them; their neighbours stay unchanged. */
#define SORT(B, first, count, func, flags)                                                                   \
    do {                                                                                                     \
        shared [B] int *all = values##B, *part = all + (first);                                              \
        int around = (first) + (count) + 3, sum = 0, want = 0;                                               \
        if (MYTHREAD == THREADS - 1)                                                                         \
            for (int i = 0; i < around; i++)                                                                 \
                all[i] = made(i, first);                                                                     \
        upc_barrier;                                                                                         \
        upc_all_sort(part, sizeof(int), count, B, func, flags);                                              \
        upc_barrier;                                                                                         \
        for (int i = 0; i < around; i++) {                                                                   \
            if (i < (first) || i >= (first) + (count))                                                       \
                CHECK_EQ(all[i], made(i, first));                                                            \
            else if (i > (first))                                                                            \
                CHECK(func((shared void *)&all[i - 1], (shared void *)&all[i]) <= 0);                        \
            sum += all[i] * all[i];                                                                          \
            want += made(i, first) * made(i, first);                                                         \
        }                                                                                                    \
        CHECK_EQ(sum, want);                                                                                 \
        upc_barrier;                                                                                         \
    } while (0)

#define COUNTS(B)                                                                                            \
    do {                                                                                                     \
        SORT(B, 0, N, by_value, 0);                                                                          \
        SORT(B, 1, N, down, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);                                               \
        SORT(B, 5, 100, by_value, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);                                           \
        SORT(B, 2, 1, by_value, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);                                             \
        SORT(B, 7, 2, down, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);                                                \
        SORT(B, 3, 0, by_value, 0);                                                                          \
    } while (0)

int main(void) {
    COUNTS(1);
    COUNTS(3);
    COUNTS(64);
    COUNTS(1000);
    COUNTS(0);

    upc_forall (int i = 0; i < 50 * THREADS; i++; &records[i]) {
        struct record r = {(short)(made(i, 9) % 7), "text", i};
        records[i] = r;
    }
    upc_all_sort(records, sizeof records[0], 50 * THREADS, 4, by_key, 0);
    for (int i = 1; i < 50 * THREADS; i++) {
        struct record a = records[i - 1], b = records[i];
        CHECK(a.key < b.key || (a.key == b.key && a.number < b.number));
        CHECK_EQ(b.key, made(b.number, 9) % 7);
        CHECK_EQ(b.text[3], 't');
    }
    return 0;
}
