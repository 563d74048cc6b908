// Value-based collectives: all operations, types of all sizes, every root, many in a row without barriers
// between.
#include <bupc_collectivev.h>
#include <stdlib.h>
#include "../../check.h"

struct wide {
    double numbers[20];
    char mark;
};

// Longer than the payload of a barrier among hosts.
struct vast {
    int numbers[3000];
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

static struct vast vast_of(int number) {
    struct vast made;
    for (int i = 0; i < 3000; i++)
        made.numbers[i] = number * 10000 + i;
    return made;
}

static int is_vast(const struct vast *v, int number) {
    for (int i = 0; i < 3000; i++)
        if (v->numbers[i] != number * 10000 + i)
            return 0;
    return 1;
}

// Long and short ones in turn, since they go different ways.
static void long_values(void) {
    struct vast *list = malloc(THREADS * sizeof *list);
    for (int root = 0; root < THREADS; root++) {
        struct vast theirs = bupc_allv_broadcast(struct vast, vast_of(MYTHREAD), root);
        CHECK(is_vast(&theirs, root));
        int next = (MYTHREAD + 1 + root) % THREADS;
        theirs = bupc_allv_permute(struct vast, vast_of(MYTHREAD), next);
        CHECK(is_vast(&theirs, (MYTHREAD + THREADS * 2 - 1 - root) % THREADS));
        CHECK_EQ(bupc_allv_reduce_all(int, root, UPC_ADD), root * THREADS);
        for (int t = 0; t < THREADS; t++)
            list[t] = vast_of(MYTHREAD * 10 + t);
        theirs = bupc_allv_scatter(struct vast, root, list);
        CHECK(is_vast(&theirs, root * 10 + MYTHREAD));
        bupc_allv_gather(struct vast, vast_of(MYTHREAD + 7), root, list);
        for (int t = 0; t < THREADS && MYTHREAD == root; t++)
            CHECK(is_vast(&list[t], t + 7));
        bupc_allv_gather_all(struct vast, vast_of(MYTHREAD + root), list);
        for (int t = 0; t < THREADS; t++)
            CHECK(is_vast(&list[t], t + root));
    }
    free(list);
}

int main(void) {
    reductions();
    moves();
    long_values();
    return 0;
}
