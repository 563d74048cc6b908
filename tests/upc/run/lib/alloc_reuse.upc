// Freed memory is used again: allocating and freeing far more than the machine has works, in any order.
//: clause 7.2.2.4 p2
//: threads 1 4
#include "../../check.h"

shared[] char *held[16];

int main(void) {
    /* 64 MB at a time, 2000 times, touching one page of each */
    for (int i = 0; i < 2000; i++) {
        shared[] char *p = (shared[] char *)upc_alloc(64 << 20);
        CHECK(p != NULL);
        p[0] = p[(64 << 20) - 1] = i;
        upc_free(p);
    }
    unsigned seed = MYTHREAD + 1;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 1664525u + 1013904223u;
        int slot = seed >> 28;
        upc_free(held[slot]);
        size_t size = 1 + (seed >> 8) % 5000;
        held[slot] = (shared[] char *)upc_alloc(size);
        CHECK(held[slot] != NULL);
        held[slot][0] = held[slot][size - 1] = slot;
        for (int j = 0; j < 16; j++)
            if (held[j])
                CHECK_EQ(held[j][0], j);
    }
    for (int i = 0; i < 300; i++) {
        shared char *p = (shared char *)upc_all_alloc(THREADS, 32 << 20);
        CHECK(p != NULL);
        p[0] = 1;
        upc_all_free(p);
    }
    for (int j = 0; j < 16; j++)
        upc_free(held[j]);
    return 0;
}
