// Affinities and loop variables of all integer types, up to values beyond 32 bits.
//: clause 6.6.2 p4
//: clause 6.6.2 p8
#include <stdint.h>
#include "../../check.h"

static long counted;
#define TEST(T, first, count)                                                                            \
    do {                                                                                                 \
        counted = 0;                                                                                     \
        upc_forall(T i = (first); i < (T)((first) + (count)); i++; i) {                                  \
            CHECK_EQ((uint64_t)i % THREADS, MYTHREAD);                                                   \
            counted++;                                                                                   \
        }                                                                                                \
        long wanted = 0;                                                                                 \
        for (uint64_t i = (first); i < (uint64_t)(first) + (count); i++)                                 \
            wanted += i % THREADS == MYTHREAD;                                                           \
        CHECK_EQ(counted, wanted);                                                                       \
    } while (0)
enum place { HERE, THERE, NOWHERE };

int main(void) {
    TEST(signed char, 3, 100);
    TEST(unsigned char, 100, 150);
    TEST(short, 1000, 101);
    TEST(unsigned short, 60001, 99);
    TEST(int, 2147483500, 100);
    TEST(unsigned, 4294967000u, 200);
    TEST(long, 5000000001L, 77);
    TEST(unsigned long, 9000000000000000003UL, 50);
    TEST(long long, 1LL << 40, 33);
    TEST(size_t, 12, 41);
    int runs = 0;
    upc_forall(enum place p = HERE; p <= NOWHERE; p++; p) runs += p % THREADS == MYTHREAD ? 1 : 100;
    CHECK(runs <= 3);
    upc_forall(_Bool done = 0; !done; done = 1; done) CHECK_EQ(MYTHREAD, 0);
    return 0;
}
