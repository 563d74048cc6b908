// Hundreds of transfers under way at once, of all kinds, lengths and alignments, between any three
// threads, completed in the order begun, in reverse, and by attempts; each byte lands in its place and
// nowhere else.
//: clause 7.9.2 p9
#include <upc_relaxed.h>
#include <upc_nb.h>
#include <stdlib.h>
#include <string.h>
#include "../../check.h"

#define BUFFER 60000
#define COUNT 300

shared [BUFFER] unsigned char from[BUFFER * THREADS], to[BUFFER * THREADS];

static unsigned char value(int thread, size_t i) { return (unsigned char)(i * 11 + i / 251 + thread * 57); }

static void begin_round(void) {
    upc_barrier;
    for (size_t i = 0; i < BUFFER; i++) {
        from[BUFFER * (size_t)MYTHREAD + i] = value(MYTHREAD, i);
        to[BUFFER * (size_t)MYTHREAD + i] = 0;
    }
    upc_barrier;
}

static void complete(upc_handle_t *handles, int n, int how) {
    if (how == 0)
        for (int i = 0; i < n; i++)
            upc_sync(handles[i]);
    else if (how == 1)
        for (int i = n - 1; i >= 0; i--)
            upc_sync(handles[i]);
    else
        for (int left = 1; left;) {
            left = 0;
            for (int i = 0; i < n; i++)
                if (upc_sync_attempt(handles[i]))
                    handles[i] = UPC_COMPLETE_HANDLE;
                else
                    left++;
        }
}

// Pieces of different lengths side by side, in the memory of the thread after this one.
static void pieces(int how) {
    static upc_handle_t handles[COUNT];
    static unsigned char own[BUFFER];
    int right = (MYTHREAD + 1) % THREADS, next = (MYTHREAD + 2) % THREADS;
    size_t at = 0, starts[COUNT + 1];
    begin_round();
    for (size_t i = 0; i < BUFFER; i++)
        own[i] = value(MYTHREAD, i);
    for (int i = 0; i < COUNT; i++) {
        size_t n = i % 50 == 49 ? 5000 : (size_t)(i * 7 % 90);
        starts[i] = at;
        shared void *there = &to[BUFFER * (size_t)right + at];
        if (i % 3 == 0)
            handles[i] = upc_memput_nb(there, own + at, n);
        else if (i % 3 == 1)
            handles[i] = upc_memcpy_nb(there, &from[BUFFER * (size_t)next + at], n);
        else
            handles[i] = upc_memset_nb(there, i & 0xff, n);
        at += n;
    }
    starts[COUNT] = at;
    complete(handles, COUNT, how);
    upc_barrier;
    // The bytes here came from the thread before this one.
    int left = (MYTHREAD + THREADS - 1) % THREADS, source = (left + 2) % THREADS;
    const unsigned char *mine = (const unsigned char *)&to[BUFFER * (size_t)MYTHREAD];
    for (int i = 0; i < COUNT; i++)
        for (size_t k = starts[i]; k < starts[i + 1]; k++)
            CHECK_EQ(mine[k], i % 3 == 0   ? value(left, k)
                              : i % 3 == 1 ? value(source, k)
                                           : i & 0xff);
    for (size_t k = at; k < BUFFER; k++)
        CHECK_EQ(mine[k], 0);
}

static void fetched(int how) {
    static upc_handle_t handles[COUNT];
    static unsigned char got[COUNT][150];
    begin_round();
    for (int i = 0; i < COUNT; i++)
        handles[i] = upc_memget_nb(got[i] + i % 8, &from[BUFFER * (size_t)((MYTHREAD + i) % THREADS) + (size_t)i], 129);
    complete(handles, COUNT, how);
    for (int i = 0; i < COUNT; i++)
        for (size_t k = 0; k < 129; k++)
            CHECK_EQ(got[i][i % 8 + k], value((MYTHREAD + i) % THREADS, (size_t)i + k));
}

int main(void) {
    for (int how = 0; how < 3; how++) {
        pieces(how);
        fetched(how);
    }
    // An object copied onto itself, and parts of one object copied within it, by a third thread.
    begin_round();
    size_t base = BUFFER * (size_t)((MYTHREAD + 1) % THREADS);
    upc_memcpy(&from[base], &from[base], BUFFER);
    upc_barrier;
    upc_memcpy(&from[base + 30001], &from[base], 29999);
    upc_barrier;
    const unsigned char *mine = (const unsigned char *)&from[BUFFER * (size_t)MYTHREAD];
    for (size_t k = 0; k < 29999; k++) {
        CHECK_EQ(mine[k], value(MYTHREAD, k));
        CHECK_EQ(mine[30001 + k], value(MYTHREAD, k));
    }
    return 0;
}
