// Unsigned affinities, of signed and unsigned variables: a result below zero is a large number,
// and one of 64 bits may be greater than any signed number. Variables at the ends of 64 bits,
// too.
//: clause 6.6.2 p4
#include "../../check.h"
#include <limits.h>
#include <stddef.h>

/* True if an affinity is to this thread. */
#define OWN(a)                                                                                               \
    ((a) < 0 ? ((int)((a) % (long)THREADS) + THREADS) % THREADS == MYTHREAD                                  \
             : (int)((a) % (unsigned)THREADS) == MYTHREAD)

#define SAME(variable, clauses, affinity)                                                                    \
    do {                                                                                                     \
        unsigned long count = 0, sum = 0, all_count = 0, all_sum = 0;                                        \
        upc_forall (variable clauses; affinity) {                                                            \
            count++;                                                                                         \
            sum = sum * 31 + (unsigned long)i;                                                               \
        }                                                                                                    \
        for (variable clauses)                                                                               \
            if (OWN(affinity)) {                                                                             \
                all_count++;                                                                                 \
                all_sum = all_sum * 31 + (unsigned long)i;                                                   \
            }                                                                                                \
        CHECK_EQ(count, all_count);                                                                          \
        CHECK_EQ(sum, all_sum);                                                                              \
    } while (0)

#define HALF (1ul << 63)

int main(void) {
    int below = -5 - (THREADS > 100), n = 10;
    size_t size = 10;

    SAME(size_t, i = 0; i < 10; i++, i - 5);
    SAME(size_t, i = 0; i < size; i++, i - 5);
    SAME(unsigned long long, i = 0; i < 10; i++, i - 1);
    SAME(unsigned, i = 0; i < 10; i++, i - 3);
    SAME(unsigned, i = 4294967286u; i < 4294967295u; i++, i + 7);
    SAME(unsigned, i = 4294967286u; i < 4294967295u; i++, i);
    SAME(unsigned short, i = 0; i < n; i++, i - 5u);
    SAME(int, i = 0; i < n; i++, i - 5u);
    SAME(int, i = 0; i < n; i++, i - sizeof(int));
    SAME(int, i = below; i < 5; i++, i + 0u);
    SAME(short, i = below; i < 5; i++, i + 0u);
    SAME(signed char, i = below; i < 5; i++, i + 1u);
    SAME(char, i = 0; i < 12; i++, i - 3u);
    SAME(long, i = below; i < 5; i++, i + 0ul);
    SAME(long, i = below; i < 5; i++, i);
    SAME(int, i = 9; i >= below; i--, i + 1u);
    SAME(long, i = 9; i > below; i -= 2, i - 2ul);

    SAME(unsigned long, i = HALF - 4; i < HALF + 5; i++, i);
    SAME(unsigned long, i = HALF - 4; i < HALF + 5; i += 2, i + 1);
    SAME(unsigned long, i = ~0ul - 8; i < ~0ul; i++, i);
    SAME(unsigned long, i = HALF + 9; i > HALF - 3; i--, i);
    SAME(long, i = LONG_MIN + 9; i > LONG_MIN + 1; i -= 2, i);
    SAME(long, i = LONG_MIN + 9; i > LONG_MIN + 1; i--, i);
    SAME(long, i = LONG_MAX - 9; i < LONG_MAX - 1; i += 2, i);
    SAME(long, i = LONG_MAX - 9; i < LONG_MAX; i++, i);
    SAME(long, i = LONG_MIN + 100; i < LONG_MIN + 108; i++, i);

    upc_barrier;
    return 0;
}
