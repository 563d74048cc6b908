// Sixty-four threads and more, on any number of cores: each function once or twice in each manner of
// waiting.
//: clause 7.4 p2
//: threads 64 70
//: mode dynamic
#include "kinds.h"

static const int flags[] = {0, UPC_IN_MYSYNC | UPC_OUT_MYSYNC, UPC_IN_NOSYNC | UPC_OUT_NOSYNC};
static const size_t sizes[] = {8, 3000};

int main(void) {
    shared void *dst = upc_all_alloc(THREADS, AREA), *src = upc_all_alloc(THREADS, AREA);
    shared[1] double *terms = upc_all_alloc(THREADS, sizeof(double));
    shared[1] double *sums = upc_all_alloc(THREADS, sizeof(double));
    int round = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int f = 0; f < 3; f++)
            for (int s = 0; s < 2; s++, round++) {
                int root = round * 5 % THREADS;
                perm[MYTHREAD] = target_of(MYTHREAD, round);
                prepare(kind, dst, src, 0, 0, MYTHREAD, root, sizes[s], round);
                *part(dst, MYTHREAD, (size_t)got_blocks(kind, MYTHREAD, root) * sizes[s]) = 0x55;
                upc_barrier;
                call(kind, dst, src, 0, 0, root, sizes[s], flags[f]);
                upc_barrier;
                check(kind, dst, 0, MYTHREAD, root, sizes[s], round, flags[f]);
            }
    for (int f = 0; f < 3; f++) {
        terms[MYTHREAD] = MYTHREAD + f;
        upc_barrier;
        upc_all_prefix_reduceD(sums, terms, UPC_ADD, THREADS, 1, NULL, flags[f]);
        upc_barrier;
        CHECK(sums[MYTHREAD] == MYTHREAD * (MYTHREAD + 1) / 2 + f * (MYTHREAD + 1));
        upc_all_reduceD(&sums[f], terms, UPC_MAX, THREADS, 1, NULL, flags[f]);
        upc_barrier;
        CHECK(sums[f] == THREADS - 1 + f);
    }
    return 0;
}
