// Reads, writes, copies and fills of all lengths in any order, by each thread in a part of all threads'
// memory that is its own: every read agrees with a model in private memory, without a fence in between.
//: threads 2 3 4
#include <upc_relaxed.h>
#include <stdlib.h>
#include <string.h>
#include "../../check.h"

#define BUFFER 300000
#define STEPS 250

typedef shared[] char *place;

shared[] char *shared area[THREADS];

static unsigned state;
static place theirs[64];
static unsigned char *model[64];
static char buffer[BUFFER];

static unsigned below(unsigned n) {
    state = state * 1103515245 + 12345;
    return (state >> 8) % n;
}

/* Words, packets, and lengths that the network's own transfers move. */
static size_t some_length(void) {
    return 1 + (below(4) == 0 ? below(BUFFER - 1) : below(3) == 0 ? below(40000) : below(64));
}

static void read_and_compare(int t, size_t at, size_t n) {
    upc_memget(buffer, theirs[t] + at, n);
    for (size_t i = 0; i < n; i++)
        CHECK_EQ((unsigned char)buffer[i], model[t][at + i]);
}

static void copy(int to, size_t at, size_t n) {
    int from = (to + 1 + (int)below(THREADS - 1)) % THREADS;
    size_t begin = below((unsigned)(BUFFER - n + 1));
    memcpy(model[to] + at, model[from] + begin, n);
    upc_memcpy(theirs[to] + at, theirs[from] + begin, n);
}

static void put(int t, size_t at, size_t n) {
    for (size_t i = 0; i < n; i++)
        buffer[i] = (char)below(256);
    memcpy(model[t] + at, buffer, n);
    upc_memput(theirs[t] + at, buffer, n);
}

static void step(void) {
    int t = (int)below(THREADS), value = (int)below(256);
    size_t n = some_length(), at = below((unsigned)(BUFFER - n + 1));
    switch (below(6)) {
    case 0:
        put(t, at, n);
        break;
    case 1:
        model[t][at] = (unsigned char)value;
        theirs[t][at] = (char)value;
        break;
    case 2:
        memset(model[t] + at, value, n);
        upc_memset(theirs[t] + at, value, n);
        break;
    case 3:
        copy(t, at, n);
        break;
    case 4:
        read_and_compare(t, at, n);
        break;
    default:
        if (below(2))
            upc_fence;
        CHECK_EQ((unsigned char)theirs[t][at], model[t][at]);
    }
}

int main(void) {
    state = 7 + 911 * MYTHREAD;
    area[MYTHREAD] = (place)upc_alloc((size_t)BUFFER * THREADS);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        theirs[t] = area[t] + (size_t)BUFFER * MYTHREAD;
        model[t] = calloc(1, BUFFER);
        upc_memset(theirs[t], 0, BUFFER);
    }
    for (int i = 0; i < STEPS; i++)
        step();
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        read_and_compare(t, 0, BUFFER);
    upc_barrier;
    return 0;
}
