// Objects of many lengths from each thread to all: objects that travel in a barrier, in one piece, and in
// parts that the hosts fetch from each other.
//: threads 2 3 4 8
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <string.h>
#include "../../check.h"

#define MOST (800 * 1024 + 100)

shared[MOST] unsigned char from[THREADS][MOST], to[THREADS][MOST];

static void one(int root, size_t n, unsigned seed) {
    unsigned char *own = (unsigned char *)&to[MYTHREAD][0];
    if (MYTHREAD == root)
        for (size_t i = 0; i < n; i++)
            from[root][i] = (unsigned char)(i * 2654435761u >> 11 ^ seed);
    memset(own, 0x5a, n + 64 < MOST ? n + 64 : MOST);
    upc_all_broadcast(to, &from[root][0], n, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    for (size_t i = 0; i < n; i++)
        CHECK(own[i] == (unsigned char)(i * 2654435761u >> 11 ^ seed));
    CHECK(n == MOST || own[n] == 0x5a);
    upc_barrier;
}

int main(void) {
    static const size_t lengths[] = {1, 4096, 4097, 65536, 100001, 300000, 524288, MOST};
    for (int k = 0; k < (int)(sizeof lengths / sizeof *lengths); k++)
        for (int root = 0; root < THREADS; root += 1 + THREADS / 3)
            one(root, lengths[k], (unsigned)(k * 7 + root));
    return 0;
}
