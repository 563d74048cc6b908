// Transfers without handles: upc_synci completes all transfers that the thread has begun, and no others.
//: clause 7.9.2 p6
//: clause 7.9.2 p7
//: clause 7.9.2 p8
//: clause 7.9.2 p9
//: clause 7.9.2 p12
//: clause 7.9.2 p13
//: clause 7.9.5.1 p1
//: clause 7.9.5.1 p2
//: clause 7.9.5.2 p1
//: clause 7.9.5.2 p2
//: clause 7.9.5.3 p1
//: clause 7.9.5.3 p2
//: clause 7.9.5.4 p1
//: clause 7.9.5.4 p2
//: clause 7.9.7.1 p1
//: clause 7.9.7.1 p2
//: clause 7.9.7.1 p3
//: clause 7.9.7.1 p4
//: clause 7.9.7.2 p1
//: clause 7.9.7.2 p2
//: clause 7.9.7.2 p3
//: clause 7.9.7.2 p4
#include <upc_nb.h>
#include <upc_relaxed.h>
#include "../../check.h"

#define N 256
shared[N] int table[N * THREADS], copies[N * THREADS], filled[N * THREADS];
strict shared int ready[THREADS];

int main(void) {
    int row[N], got[N];
    upc_synci();
    CHECK(upc_synci_attempt() != 0);
    for (int i = 0; i < N; i++)
        row[i] = MYTHREAD * N + i;
    // Each thread writes its row into pieces of all parts, then signals it by a strict write.
    for (int t = 0; t < THREADS; t++) {
        int first = N * MYTHREAD / THREADS, last = N * (MYTHREAD + 1) / THREADS;
        upc_memput_nbi(&table[t * N + first], row + first, (last - first) * sizeof(int));
    }
    upc_handle_t apart = upc_memset_nb(&filled[MYTHREAD * N], 0, N * sizeof(int));
    upc_memset_nbi(&copies[MYTHREAD * N], 1, N * sizeof(int));
    upc_synci();
    upc_sync(apart);
    ready[MYTHREAD] = 1;
    for (int t = 0; t < THREADS; t++)
        while (!ready[t])
            ;
    for (int t = 0; t < THREADS; t++) {
        upc_memget_nbi(got, &table[t * N], N * sizeof(int));
        while (!upc_synci_attempt())
            ;
        for (int i = 0; i < N; i++) {
            int owner = 0;
            while (i >= N * (owner + 1) / THREADS)
                owner++;
            CHECK_EQ(got[i], owner * N + i);
        }
        CHECK_EQ(copies[t * N], 0x01010101);
    }
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    upc_memcpy_nbi(&copies[next * N], &table[MYTHREAD * N], N * sizeof(int));
    upc_memcpy_nbi(&filled[next * N], &table[MYTHREAD * N], N * sizeof(int)); // sources may overlap
    upc_synci();
    upc_barrier;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(copies[MYTHREAD * N + i], table[MYTHREAD * N + i]);
        CHECK_EQ(filled[MYTHREAD * N + i], table[MYTHREAD * N + i]);
    }
    return 0;
}
