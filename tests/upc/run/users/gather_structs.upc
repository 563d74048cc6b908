// Broadcasts, scatters, gathers of structs and of odd numbers of bytes, into arrays with indefinite,
// blocked and cyclic layouts, from places in the middle of arrays.
//: mode static
//: static 1 2 3 4 8
//: clause 7.4.2.4 p1
#include "../../check.h"
#include <upc_collective.h>

typedef struct {
    char name[5];
    int number;
} item;

#define E 3
shared [] item source[E * 64];
shared [E] item each[E * THREADS];
shared [E * THREADS] item table[THREADS][E * THREADS];
shared [] item back[E * 64];
shared [7] char bytes[7 * THREADS];
shared [7 * THREADS] char all_bytes[THREADS][7 * THREADS];

static item made(int n) { return (item){{(char)n, (char)(n >> 3), 'x', 0, (char)-n}, n * n}; }
static void check(item got, int n) {
    item wanted = made(n);
    CHECK_EQ(got.number, wanted.number);
    for (int k = 0; k < 5; k++)
        CHECK_EQ(got.name[k], wanted.name[k]);
}

int main(void) {
    const upc_flag_t flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    if (MYTHREAD == 0)
        for (int i = 0; i < E * 64; i++)
            source[i] = made(i);
    upc_all_scatter(each, source, E * sizeof(item), flags);
    for (int i = 0; i < E * THREADS; i++)
        check(each[i], i);
    upc_all_gather_all(table, each, E * sizeof(item), flags);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < E * THREADS; i++)
            check(table[t][i], i);
    upc_barrier;
    upc_all_gather(back, each, E * sizeof(item), flags);
    for (int i = 0; i < E * THREADS; i++)
        check(back[i], i);
    upc_barrier;
    upc_all_broadcast(each, &source[5], E * sizeof(item), flags);
    for (int i = 0; i < E * THREADS; i++)
        check(each[i], 5 + i % E);
    upc_barrier;
    upc_all_exchange(table, table, 0, flags);
    upc_forall (int i = 0; i < 7 * THREADS; i++; &bytes[i])
        bytes[i] = (char)(i * 11);
    upc_all_gather_all(all_bytes, bytes, 7, flags);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < 7 * THREADS; i++)
            CHECK_EQ(all_bytes[t][i], (char)(i * 11));
    upc_barrier;
    upc_all_broadcast(bytes, &all_bytes[THREADS - 1][6 * THREADS], 1, flags);
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(bytes[7 * t], (char)(6 * THREADS * 11));
        CHECK_EQ(bytes[7 * t + 1], (char)((7 * t + 1) * 11));
    }
    return 0;
}
