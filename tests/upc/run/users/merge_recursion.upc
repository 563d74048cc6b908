// Recursion over local views: each thread sorts its block by quicksort through a private pointer, then
// pairs of threads merge recursively, reading the other's block by block.
//: clause 6.5.1.1 p5
#include <string.h>
#include "../../check.h"

#define EACH 50
shared[EACH] unsigned short keys[EACH * THREADS], sorted[EACH * THREADS];

static void quick(unsigned short *low, unsigned short *high) {
    if (high - low < 2)
        return;
    unsigned short pivot = low[(high - low) / 2], *i = low, *j = high - 1;
    while (i <= j) {
        while (*i < pivot)
            i++;
        while (*j > pivot)
            j--;
        if (i <= j) {
            unsigned short kept = *i;
            *i++ = *j, *j-- = kept;
        }
    }
    quick(low, j + 1);
    quick(i, high);
}

/* Merges blocks [from, middle) and [middle, to) of keys, by the first one's thread, into
 * `sorted` and back. */
static void merge(int from, int middle, int to) {
    int a = from * EACH, b = middle * EACH, at = a;
    while (a < middle * EACH || b < to * EACH)
        if (b >= to * EACH || (a < middle * EACH && keys[a] <= keys[b]))
            sorted[at++] = keys[a++];
        else
            sorted[at++] = keys[b++];
    for (int t = from; t < to; t++)
        upc_memcpy(&keys[t * EACH], &sorted[t * EACH], EACH * sizeof keys[0]);
}

/* Blocks [from, to): both halves are sorted by their first threads at the same time; all threads pass through
 * all levels, so that barriers match. */
static void level(int from, int to, int depth) {
    if (depth == 0)
        return;
    int middle = from + (to - from + 1) / 2;
    if (to - from > 1) {
        if (MYTHREAD < middle)
            level(from, middle, depth - 1);
        else
            level(middle, to, depth - 1);
    } else {
        level(from, to, depth - 1);
    }
    upc_barrier depth;
    if (to - from > 1 && MYTHREAD == from)
        merge(from, middle, to);
}

int main(void) {
    unsigned short *mine = (unsigned short *)&keys[EACH * MYTHREAD];
    long sum = 0, again = 0;
    int depth = 0;
    for (int i = 0; i < EACH; i++)
        mine[i] = (MYTHREAD * 7919 + i * 104729) % 10007;
    quick(mine, mine + EACH);
    while (1 << depth < THREADS)
        depth++;
    level(0, THREADS, depth);
    upc_barrier;
    for (int i = 0; i < EACH * THREADS; i++) {
        CHECK(i == 0 || keys[i - 1] <= keys[i]);
        sum += keys[i];
        again += (i / EACH * 7919 + i % EACH * 104729) % 10007;
    }
    CHECK_EQ(sum, again);
    return 0;
}
