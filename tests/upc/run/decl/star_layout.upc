// shared [*] splits an array into one block a thread, in one and two dimensions.
//: clause 6.5.1.1 p16
//: mode static
//: static 1 2 3 4 8
#include "../../check.h"

shared[*] int uneven[13];
shared[*] double two[5][3];
shared[*] char tiny[2];

int main(void) {
    int block = (13 + THREADS - 1) / THREADS;
    CHECK_EQ(upc_blocksizeof(uneven), block);
    for (int i = 0; i < 13; i++) {
        CHECK_EQ(upc_threadof(&uneven[i]), i / block);
        CHECK_EQ(upc_phaseof(&uneven[i]), block == 1 ? 0 : i % block);
    }
    int rows = (15 + THREADS - 1) / THREADS;
    CHECK_EQ(upc_blocksizeof(two), rows);
    for (int i = 0; i < 15; i++)
        CHECK_EQ(upc_threadof(&two[i / 3][i % 3]), i / rows);
    CHECK_EQ(upc_threadof(&tiny[1]), THREADS == 1 ? 0 : 1);
    upc_forall(int i = 0; i < 13; i++; &uneven[i]) uneven[i] = i;
    upc_barrier;
    for (int i = 0; i < 13; i++)
        CHECK_EQ(uneven[i], i);
    return 0;
}
