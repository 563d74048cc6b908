// Transfers of scattered data: lists, indices, strides and boxes, put, got and copied between shared
// memories; the pieces of the two sides may differ in length.
#include <string.h>
#include <bupc_extensions.h>
#include "../../check.h"

#define N 4096
shared[N] char area[N * THREADS], other[N * THREADS];
static char mine[N], got[N];

static char datum(int i) { return (char)(i * 7 + MYTHREAD * 3 + i / 256); }

static int right(void) { return (MYTHREAD + 1) % THREADS; }

static void clear(void) {
    upc_barrier;
    upc_memset(&area[MYTHREAD * N], 0, N);
    upc_memset(&other[MYTHREAD * N], 0, N);
    memset(got, 0, N);
    for (int i = 0; i < N; i++)
        mine[i] = datum(i);
    upc_barrier;
}

static void lists(void) {
    clear();
    bupc_smemvec_t there[3] = {
        {&area[right() * N + 100], 10}, {&area[right() * N], 0}, {&area[right() * N + 50], 20}};
    bupc_pmemvec_t here[2] = {{mine + 5, 25}, {mine + 1000, 5}};
    bupc_memput_vlist(3, there, 2, here);
    bupc_smemvec_t copy[1] = {{&other[right() * N + 7], 30}};
    bupc_waitsync(bupc_memcpy_vlist_async(1, copy, 3, there));
    bupc_pmemvec_t back[4] = {{got + 20, 10}, {got, 10}, {got + 10, 9}, {got + 500, 1}};
    bupc_memget_vlist_asynci(4, back, 1, copy);
    bupc_waitsynci();
    for (int k = 0; k < 30; k++) {
        char wanted = k < 25 ? datum(5 + k) : datum(1000 + k - 25);
        CHECK_EQ(got[k < 10 ? 20 + k : k < 20 ? k - 10 : k < 29 ? k - 10 : 500], wanted);
        CHECK_EQ(area[right() * N + (k < 10 ? 100 + k : 50 + k - 10)], wanted);
    }
    CHECK_EQ(area[right() * N + 110], 0);
    CHECK_EQ(got[30], 0);
}

static void indices(void) {
    clear();
    shared void *places[6], *halves[3];
    void *pieces[4], *back[12];
    for (int i = 0; i < 6; i++)
        places[i] = &area[right() * N + 200 - 30 * i];
    for (int i = 0; i < 4; i++)
        pieces[i] = mine + 300 + 50 * i;
    for (int i = 0; i < 12; i++)
        back[i] = got + 10 * i;
    for (int i = 0; i < 3; i++)
        halves[i] = &other[right() * N + 64 * i];
    bupc_memput_ilist(6, places, 8, 4, pieces, 12);
    bupc_memcpy_ilist(3, halves, 16, 6, places, 8);
    bupc_memget_ilist(12, back, 4, 3, halves, 16);
    for (int k = 0; k < 48; k++) {
        char wanted = datum(300 + 50 * (k / 12) + k % 12);
        CHECK_EQ(area[right() * N + 200 - 30 * (k / 8) + k % 8], wanted);
        CHECK_EQ(other[right() * N + 64 * (k / 16) + k % 16], wanted);
        CHECK_EQ(got[10 * (k / 4) + k % 4], wanted);
    }
}

static void strides(void) {
    clear();
    bupc_memput_fstrided(&area[right() * N], 6, 10, 20, mine + 10, 4, 7, 30);
    bupc_memcpy_fstrided(&other[right() * N], 120, 0, 1, &area[right() * N], 6, 10, 20);
    bupc_handle_t handle = bupc_memget_fstrided_async(got, 1, 3, 120, &other[right() * N], 40, 40, 3);
    while (!bupc_trysync(handle))
        ;
    for (int k = 0; k < 120; k++) {
        char wanted = datum(10 + 7 * (k / 4) + k % 4);
        CHECK_EQ(area[right() * N + 10 * (k / 6) + k % 6], wanted);
        CHECK_EQ(got[3 * k], wanted);
        CHECK_EQ(got[3 * k + 1], 0);
    }
    bupc_memput_fstrided(NULL, 6, 10, 0, NULL, 0, 7, 30); // nothing
}

// A box of 5 x 4 x 3 bytes out of an array of 10 x 9 x 8 into one of 7 x 6 x 5, and back.
static void boxes(void) {
    clear();
    size_t count[] = {3, 4, 5}, large[] = {8, 9 * 8}, small[] = {5, 6 * 5};
    bupc_memput_strided(&area[right() * N], small, mine + 2 * 72 + 3 * 8 + 1, large, count, 2);
    bupc_memcpy_strided(&other[right() * N + 72], large, &area[right() * N], small, count, 2);
    bupc_memget_strided(got, small, &other[right() * N + 72], large, count, 2);
    int inside = 0;
    for (int k = 0; k < 7 * 6 * 5; k++) {
        int x = k % 5, y = k / 5 % 6, z = k / 30, in = x < 3 && y < 4 && z < 5;
        char wanted = in ? datum(2 * 72 + 3 * 8 + 1 + z * 72 + y * 8 + x) : 0;
        CHECK_EQ(area[right() * N + k], wanted);
        CHECK_EQ(got[k], wanted);
        inside += in;
    }
    CHECK_EQ(inside, 60);
    size_t line[] = {17};
    bupc_memget_strided(got, NULL, &area[right() * N], NULL, line, 0);
    CHECK_EQ(got[16], area[right() * N + 16]);
}

static void plain(void) {
    clear();
    bupc_handle_t handles[3] = {bupc_memput_async(&area[right() * N], mine, 100),
                                bupc_memset_async(&area[right() * N + 100], 9, 50),
                                bupc_memcpy_async(&other[right() * N], &area[right() * N + 120], 10)};
    bupc_waitsync_all(handles, 3);
    CHECK(bupc_trysync_all(handles, 3) && bupc_trysync_some(handles, 3));
    bupc_waitsync_some(handles, 3);
    bupc_begin_accessregion();
    bupc_memget_asynci(got, &area[right() * N], 150);
    bupc_memput_asynci(&other[right() * N + 10], mine, 5);
    bupc_memset_asynci(&other[right() * N + 15], 3, 5);
    bupc_memcpy_asynci(&other[right() * N + 20], &other[right() * N + 10], 10);
    bupc_waitsync(bupc_end_accessregion());
    CHECK(bupc_trysynci());
    CHECK(memcmp(got, mine, 100) == 0);
    CHECK_EQ(got[149], 9);
    CHECK_EQ(other[right() * N + 9], 9);
    CHECK_EQ(other[right() * N + 24], datum(4));
    CHECK_EQ(other[right() * N + 29], 3);
}

int main(void) {
    lists();
    indices();
    strides();
    boxes();
    plain();
    return 0;
}
