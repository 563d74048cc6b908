// With MERIDIAN_CHECK=1 right programs run as without it, with calls by name and by pointer.
//: clause 7.4 p3
//: env MERIDIAN_CHECK=1
#include "kinds.h"

int main(void) {
    shared void *dst = upc_all_alloc(THREADS, AREA), *src = upc_all_alloc(THREADS, AREA);
    shared[1] int *sums = upc_all_alloc(THREADS, sizeof(int)), *terms = upc_all_alloc(THREADS, sizeof(int));
    void (*prefix)(shared void *restrict, shared const void *restrict, upc_op_t, size_t, size_t,
                   int (*)(int, int), upc_flag_t) = upc_all_prefix_reduceI;
    for (int round = 0; round < 60; round++) {
        int kind = round % KINDS, root = round % THREADS, flags = round % 3 ? UPC_IN_ALLSYNC | UPC_OUT_MYSYNC : 0;
        perm[MYTHREAD] = target_of(MYTHREAD, round);
        prepare(kind, dst, src, 0, 0, MYTHREAD, root, 100, round);
        *part(dst, MYTHREAD, (size_t)got_blocks(kind, MYTHREAD, root) * 100) = 0x55;
        dawdle();
        call(kind, dst, src, 0, 0, root, 100, flags);
        check(kind, dst, 0, MYTHREAD, root, 100, round, flags);
        terms[MYTHREAD] = round;
        (round % 2 ? prefix : (upc_all_prefix_reduceI))(sums, terms, UPC_ADD, THREADS, 1, NULL, flags);
        CHECK_EQ(sums[MYTHREAD], round * (MYTHREAD + 1));
        upc_barrier;
    }
    return 0;
}
