// Atomic operations of all threads on words of all, with results and without, relaxed and strict: sums and
// exclusive ors are right.
//: threads 2 3 4
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "../../check.h"

#define STEPS 400

shared long sum[THREADS], mask[THREADS], added[THREADS], turned[THREADS];

static void compare_and_swap(upc_atomicdomain_t *domain, int t) {
    long seen, wanted, old;
    do {
        upc_atomic_relaxed(domain, &seen, UPC_GET, &sum[t], 0, 0);
        wanted = seen + 1;
        upc_atomic_strict(domain, &old, UPC_CSWAP, &sum[t], &seen, &wanted);
    } while (old != seen);
}

int main(void) {
    upc_atomicdomain_t *domain =
        upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_XOR | UPC_CSWAP | UPC_INC, 0);
    unsigned state = MYTHREAD + 5;
    long one = 1, old, bits, total = 0, all = 0, exclusive = 0;
    upc_barrier;
    for (int i = 0; i < STEPS; i++) {
        state = state * 1103515245 + 12345;
        int t = (int)((state >> 16) % THREADS);
        switch ((state >> 9) % 6) {
        case 0:
            upc_atomic_relaxed(domain, &old, UPC_ADD, &sum[t], &one, 0);
            break;
        case 1:
            compare_and_swap(domain, t);
            break;
        case 2:
            upc_atomic_strict(domain, 0, UPC_INC, &sum[t], 0, 0);
            break;
        case 3:
            bits = (long)state;
            upc_atomic_relaxed(domain, 0, UPC_XOR, &mask[t], &bits, 0);
            turned[MYTHREAD] ^= bits;
            continue;
        default:
            upc_atomic_relaxed(domain, 0, UPC_ADD, &sum[t], &one, 0);
        }
        added[MYTHREAD]++;
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        total += sum[t];
        all += added[t];
        exclusive ^= mask[t] ^ turned[t];
    }
    CHECK_EQ(total, all);
    CHECK_EQ(exclusive, 0);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    return 0;
}
