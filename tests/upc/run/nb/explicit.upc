// Transfers with handles: all four kinds, between neighbours, several under way at once, synchronised in any
// order, by upc_sync and by attempts; empty ones too.
//: clause 7.9 p1
//: clause 7.9.1 p1
//: clause 7.9.2 p2
//: clause 7.9.2 p3
//: clause 7.9.2 p4
//: clause 7.9.2 p5
//: clause 7.9.3 p1
//: clause 7.9.3 p2
//: clause 7.9.4.1 p1
//: clause 7.9.4.1 p2
//: clause 7.9.4.2 p1
//: clause 7.9.4.2 p2
//: clause 7.9.4.3 p1
//: clause 7.9.4.3 p2
//: clause 7.9.4.4 p1
//: clause 7.9.4.4 p2
//: clause 7.9.6.1 p1
//: clause 7.9.6.1 p2
//: clause 7.9.6.1 p3
//: clause 7.9.6.2 p1
//: clause 7.9.6.2 p2
//: clause 7.9.6.2 p3
#include <string.h>
#include <upc_nb.h>
#include "../../check.h"

#if __UPC_NB__ != 1
#error "the feature macro"
#endif

#define N 5000
shared[N] unsigned char from[N * THREADS], to[N * THREADS], third[N * THREADS];

static unsigned char pattern(int thread, int i) { return (unsigned char)(thread * 31 + i * 7 + i / 256); }

static void complete(upc_handle_t handle, int how) {
    if (how % 2)
        upc_sync(handle);
    else
        while (!upc_sync_attempt(handle))
            ;
}

int main(void) {
    static unsigned char bytes[N], got[N];
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < N; i++)
        bytes[i] = pattern(MYTHREAD, i);
    upc_handle_t zero = UPC_COMPLETE_HANDLE, bits = 0;
    CHECK(memcmp(&zero, &bits, sizeof zero) == 0);
    upc_sync(UPC_COMPLETE_HANDLE);
    upc_sync(UPC_COMPLETE_HANDLE);
    CHECK(upc_sync_attempt(UPC_COMPLETE_HANDLE) != 0);

    for (int n = 1, how = 0; n <= N; n = n * 3 + 1, how++) {
        upc_handle_t put = upc_memput_nb(&from[right * N], bytes, n);
        upc_handle_t set = upc_memset_nb(&third[right * N], 0x100 + n, n);
        complete(set, how);
        complete(put, how + 1);
        for (int i = 0; i < n; i++) // this thread sees its own transfer at once
            CHECK_EQ(from[right * N + i], pattern(MYTHREAD, i));
        upc_barrier;
        upc_handle_t copy = upc_memcpy_nb(&to[left * N], &from[MYTHREAD * N], n);
        upc_handle_t get = upc_memget_nb(got, &third[MYTHREAD * N], n);
        complete(copy, how);
        complete(get, how);
        for (int i = 0; i < n; i++)
            CHECK_EQ(got[i], (unsigned char)n);
        upc_barrier;
        // The left neighbour's put to my part has been copied to its own part.
        for (int i = 0; i < n; i++)
            CHECK_EQ(to[MYTHREAD * N + i], pattern(MYTHREAD, i));
        upc_barrier;
    }

    upc_handle_t handles[64];
    for (int i = 0; i < 64; i++)
        handles[i] = upc_memput_nb(&to[right * N + 64 * i], bytes + 64 * i, 64);
    for (int i = 63; i >= 0; i -= 2)
        complete(handles[i], i / 2);
    for (int i = 0; i < 64; i += 2)
        complete(handles[i], i / 2);
    upc_barrier;
    for (int i = 0; i < 64 * 64; i++)
        CHECK_EQ(to[MYTHREAD * N + i], pattern(left, i));
    upc_sync(upc_memcpy_nb(NULL, NULL, 0));
    upc_sync(upc_memget_nb(got, NULL, 0));
    return 0;
}
