// Thousands of pieces, of all threads' memory in one transfer, against a private copy of the right contents:
// put, got and copied between others, in lists, at equal distances and in boxes, short pieces and long ones.
//: threads 1 3 4 10
#include <stdlib.h>
#include <string.h>
#include <bupc_extensions.h>
#include "../../check.h"

#define SLICE (300 << 10)
#define PIECES 3000
#define ROUNDS 40
#define MOST_THREADS 16

// Slice t of each thread's memory is thread t's to work on.
shared[] unsigned char *shared all[THREADS];
static shared[] unsigned char *place[MOST_THREADS];
static unsigned char *mirror[MOST_THREADS], *own, *own_wanted;
static unsigned state;

static unsigned below(unsigned n) {
    state = state * 1103515245u + 12345u;
    return (state >> 8) % n;
}

static void scramble(unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)below(256);
}

// Handles of transfers that are completed later, all together.
static bupc_handle_t later[8];
static int pending;
static void keep(bupc_handle_t handle) { later[pending++] = handle; }
static void complete(void) {
    bupc_waitsync_all(later, (size_t)pending);
    bupc_waitsynci();
    pending = 0;
}

// Pieces of random lengths that do not overlap, each at a random owner: the list, and the private twin.
static size_t make_list(bupc_smemvec_t *list, unsigned char **twin, size_t most) {
    static unsigned used[MOST_THREADS];
    size_t bytes = 0, n = 0;
    memset(used, 0, sizeof used);
    for (; n < PIECES; n++) {
        unsigned owner = below(THREADS), length = below(8) ? 1 + below(60) : 1 + below(3000);
        unsigned at = used[owner] + below(40);
        if (at + length > SLICE || bytes + length > most)
            break;
        used[owner] = at + length;
        list[n].addr = place[owner] + at;
        list[n].len = length;
        twin[n] = mirror[owner] + at;
        bytes += length;
    }
    return n;
}

static void lists(void) {
    static bupc_smemvec_t there[PIECES];
    static unsigned char *twin[PIECES];
    size_t n = make_list(there, twin, SLICE), bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += there[i].len;
    bupc_pmemvec_t here[2] = {{own, bytes / 3}, {own + bytes / 3, bytes - bytes / 3}};
    if (below(2)) {
        scramble(own, bytes);
        for (size_t i = 0, at = 0; i < n; at += there[i++].len)
            memcpy(twin[i], own + at, there[i].len);
        if (below(2))
            bupc_memput_vlist(n, there, 2, here);
        else
            bupc_memput_vlist_asynci(n, there, 2, here);
        bupc_waitsynci();
    } else {
        memset(own, 0, bytes);
        keep(bupc_memget_vlist_async(2, here, n, there));
        complete();
        for (size_t i = 0, at = 0; i < n; at += there[i++].len)
            CHECK(memcmp(twin[i], own + at, there[i].len) == 0);
    }
}

static void indices(void) {
    static shared void *there[PIECES];
    static void *here[PIECES];
    unsigned length = 1 + below(below(4) ? 20 : 100), n = 1 + below(PIECES);
    for (unsigned i = 0; i < n; i++) {
        unsigned owner = i * 7 % THREADS, at = i / THREADS * length;
        there[i] = place[owner] + at;
        here[n - 1 - i] = own + i * length;
    }
    scramble(own, n * length);
    for (unsigned i = 0; i < n; i++)
        memcpy(mirror[i * 7 % THREADS] + i / THREADS * length, here[i], length);
    keep(bupc_memput_ilist_async(n, there, length, n, here, length));
    complete();
    memcpy(own_wanted, own, n * length);
    memset(own, 0, n * length);
    bupc_memget_ilist_asynci(n, here, length, n, there, length);
    complete();
    CHECK(memcmp(own, own_wanted, n * length) == 0);
}

static void rows(void) {
    unsigned owner = below(THREADS), length = below(3) ? 1 + below(300) : 20000 + below(90000);
    unsigned distance = length + below(100), count = 1 + below(SLICE / distance);
    scramble(own, (size_t)length * count);
    for (unsigned i = 0; i < count; i++)
        memcpy(mirror[owner] + i * distance, own + i * length, length);
    bupc_memput_fstrided(place[owner], length, distance, count, own, (size_t)length * count, 0, 1);
    unsigned char *got = own_wanted;
    keep(bupc_memget_fstrided_async(got, (size_t)length * count, 0, 1, place[owner], length, distance, count));
    complete();
    CHECK(memcmp(own, got, (size_t)length * count) == 0);
}

// Between two threads' slices, neither the caller's: a box in three dimensions.
static void boxes(void) {
    unsigned from = below(THREADS), to = (from + 1 + below(THREADS)) % THREADS;
    size_t count[3] = {1 + below(50), 1 + below(30), 1 + below(20)};
    size_t from_strides[2] = {60, 2000}, to_strides[2] = {1700, 55};
    size_t half = from == to ? SLICE / 2 : 0;
    for (size_t k = 0; k < count[2]; k++)
        for (size_t j = 0; j < count[1]; j++)
            memcpy(mirror[to] + half + j * to_strides[0] + k * to_strides[1],
                   mirror[from] + j * from_strides[0] + k * from_strides[1], count[0]);
    bupc_memcpy_strided(place[to] + half, to_strides, place[from], from_strides, count, 2);
}

int main(void) {
    CHECK(THREADS <= MOST_THREADS);
    state = (unsigned)MYTHREAD * 77 + 1;
    all[MYTHREAD] = (shared[] unsigned char *)upc_alloc((size_t)SLICE * THREADS);
    own = malloc(SLICE);
    own_wanted = malloc(SLICE);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        place[t] = all[t] + (size_t)MYTHREAD * SLICE;
        mirror[t] = malloc(SLICE);
        scramble(mirror[t], SLICE);
        upc_memput(place[t], mirror[t], SLICE);
    }
    for (int round = 0; round < ROUNDS; round++) {
        lists();
        indices();
        rows();
        boxes();
    }
    for (int t = 0; t < THREADS; t++) {
        upc_memget(own, place[t], SLICE);
        CHECK(memcmp(own, mirror[t], SLICE) == 0);
    }
    upc_barrier;
    return 0;
}
