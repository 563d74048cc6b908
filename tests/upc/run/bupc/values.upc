// Value-based collectives: all operations, types of all sizes, every root, many in a row without barriers
// between.
#include <bupc_collectivev.h>
#include "../../check.h"

struct wide {
    double numbers[20];
    char mark;
};

static void reductions(void) {
    for (int root = 0; root < THREADS; root++) {
        int sum = bupc_allv_reduce(int, MYTHREAD + 1, root, UPC_ADD);
        if (MYTHREAD == root)
            CHECK_EQ(sum, THREADS * (THREADS + 1) / 2);
    }
    CHECK_EQ(bupc_allv_reduce_all(long, (long)MYTHREAD << 33, UPC_ADD),
             (long)THREADS * (THREADS - 1) / 2 << 33);
    CHECK_EQ(bupc_allv_reduce_all(int, MYTHREAD % 2 ? -1 : 1, UPC_MULT), THREADS / 2 % 2 ? -1 : 1);
    CHECK_EQ(bupc_allv_reduce_all(unsigned, 1u << MYTHREAD, UPC_OR), (1u << THREADS) - 1);
    CHECK_EQ(bupc_allv_reduce_all(unsigned char, (unsigned char)~(1 << MYTHREAD), UPC_AND),
             (unsigned char)~((1u << THREADS) - 1));
    CHECK_EQ(bupc_allv_reduce_all(short, 1, UPC_XOR), THREADS % 2);
    CHECK_EQ(bupc_allv_reduce_all(int, MYTHREAD, UPC_LOGAND), 0);
    CHECK_EQ(bupc_allv_reduce_all(int, MYTHREAD + 5, UPC_LOGAND), THREADS > 1 ? 1 : 5);
    CHECK_EQ(bupc_allv_reduce_all(int, 0, UPC_LOGOR), 0);
    CHECK_EQ(bupc_allv_reduce_all(signed char, (signed char)-MYTHREAD, UPC_MIN), 1 - THREADS);
    CHECK_EQ(bupc_allv_reduce_all(unsigned long, -(unsigned long)MYTHREAD - 1, UPC_MIN),
             -(unsigned long)THREADS);
    CHECK(bupc_allv_reduce_all(double, 0.5 * MYTHREAD, UPC_MAX) == 0.5 * (THREADS - 1));
    CHECK(bupc_allv_reduce_all(float, -1.5f, UPC_ADD) == -1.5f * THREADS);
    CHECK(bupc_allv_reduce_all(long double, 2.0L, UPC_MIN) == 2.0L);
    for (int i = 0; i < 50; i++)
        CHECK_EQ(bupc_allv_prefix_reduce(int, MYTHREAD + i, UPC_ADD),
                 MYTHREAD * (MYTHREAD + 1) / 2 + (MYTHREAD + 1) * i);
}

static void moves(void) {
    struct wide mine = {{MYTHREAD, MYTHREAD * 2}, 'a' + MYTHREAD}, all[THREADS], given[THREADS];
    for (int root = 0; root < THREADS; root++) {
        struct wide theirs = bupc_allv_broadcast(struct wide, mine, root);
        CHECK_EQ(theirs.numbers[1], root * 2);
        CHECK_EQ(theirs.mark, 'a' + root);
        CHECK_EQ(bupc_allv_broadcast(char, theirs.mark + MYTHREAD, root), 'a' + 2 * root);
        for (int t = 0; t < THREADS; t++) {
            given[t].numbers[0] = MYTHREAD * 100 + t;
            all[t].mark = 0;
        }
        theirs = bupc_allv_scatter(struct wide, root, given);
        CHECK_EQ(theirs.numbers[0], root * 100 + MYTHREAD);
        struct wide *got = bupc_allv_gather(struct wide, mine, root, MYTHREAD == root ? all : NULL);
        CHECK(got == (MYTHREAD == root ? all : NULL));
        for (int t = 0; t < THREADS; t++)
            CHECK_EQ(all[t].mark, MYTHREAD == root ? 'a' + t : 0);
    }
    int numbers[THREADS];
    for (int i = 0; i < 20; i++) {
        CHECK(bupc_allv_gather_all(int, MYTHREAD * 3 + i, numbers) == numbers);
        for (int t = 0; t < THREADS; t++)
            CHECK_EQ(numbers[t], t * 3 + i);
        int to = (MYTHREAD + i) % THREADS, from = (MYTHREAD + THREADS - i % THREADS) % THREADS;
        CHECK_EQ(bupc_allv_permute(int, MYTHREAD * 1000 + i, to), from * 1000 + i);
    }
    shared int *shared_pointer = (shared int *)upc_alloc(4);
    *shared_pointer = MYTHREAD;
    CHECK_EQ(*bupc_allv_broadcast(shared int *, shared_pointer, THREADS - 1), THREADS - 1);
}

int main(void) {
    reductions();
    moves();
    return 0;
}
