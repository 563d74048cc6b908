// Hundreds of collectives of any kind and size one after the other, with flags that let threads run ahead of
// each other: with MYSYNC each thread fills its own memory before a call and overwrites it right after, and
// there is no barrier between the calls. All threads draw the same calls, and pause at different places.
//: clause 7.3.3 p2
//: clause 7.3.3 p3
//: clause 7.4.2.1 p2
//: repeat 2
#include "kinds.h"

enum { AREAS = 2, ROUNDS = 1200 };

/* The same numbers on all threads. */
static unsigned common_state = 88172645u;
static unsigned common(unsigned below) {
    common_state ^= common_state << 13;
    common_state ^= common_state >> 17;
    common_state ^= common_state << 5;
    return common_state % below;
}

static int common_in(void) { return common(4) ? UPC_IN_MYSYNC : UPC_IN_ALLSYNC; }
static int common_out(void) { return common(4) ? UPC_OUT_MYSYNC : UPC_OUT_ALLSYNC; }

int main(void) {
    shared void *dst = upc_all_alloc(THREADS, AREA), *src = upc_all_alloc(THREADS, AREA);
    shared[1] long *sums = upc_all_alloc(THREADS, sizeof(long));
    shared[1] long *terms = upc_all_alloc(THREADS, sizeof(long));
    for (int round = 0; round < ROUNDS; round++) {
        int kind = common(KINDS + 2), root = common(THREADS), flags = common_in() | common_out();
        size_t n = common(3) ? 1 + common(200) : 1 + common(AREA / THREADS / (common(2) ? 1 : 40) - 16);
        if (kind >= KINDS) {
            terms[MYTHREAD] = round + MYTHREAD;
            dawdle();
            long wanted = 0;
            if (kind == KINDS) {
                upc_all_prefix_reduceL(sums, terms, UPC_ADD, THREADS, 1, NULL, flags);
                for (int t = 0; t <= MYTHREAD; t++)
                    wanted += round + t;
                CHECK_EQ(sums[MYTHREAD], wanted);
            } else {
                upc_all_reduceL(&sums[root], terms, UPC_ADD, THREADS, 1, NULL, flags);
                for (int t = 0; t < THREADS; t++)
                    wanted += round + t;
                if (MYTHREAD == root)
                    CHECK_EQ(sums[MYTHREAD], wanted);
            }
            terms[MYTHREAD] = sums[MYTHREAD] = -1;
            continue;
        }
        if (kind == PERMUTE) {
            upc_barrier;
            perm[MYTHREAD] = target_of(MYTHREAD, round);
        }
        prepare(kind, dst, src, 0, 0, MYTHREAD, root, n, round);
        *part(dst, MYTHREAD, (size_t)got_blocks(kind, MYTHREAD, root) * n) = 0x55;
        dawdle();
        call(kind, dst, src, 0, 0, root, n, flags);
        check(kind, dst, 0, MYTHREAD, root, n, round, flags);
        if (given_blocks(kind, MYTHREAD, root))
            spoil(part(src, MYTHREAD, 0), 0x77, given_blocks(kind, MYTHREAD, root) * n);
        spoil(part(dst, MYTHREAD, 0), 0x99, got_blocks(kind, MYTHREAD, root) * n);
    }
    upc_barrier;
    return 0;
}
