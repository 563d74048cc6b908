// Relaxed operations without a result, on objects of all threads: none is lost, and a thread sees its own.
//: clause 7.6.4.3 p10
//: layout 1 1
//: layout 1 1 1
//: layout 2 1
#include <stdint.h>
#include <string.h>
#include <upc_atomic.h>
#include "../../check.h"

#define BINS 37
#define MOST 16 // threads
#define ROUNDS 20
#define EACH 500
#define OPS (UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC | UPC_XOR | UPC_OR | UPC_AND | UPC_GET)

static uint64_t state;
static int pick(int n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

// Operations of one thread alone on the objects of one thread, and of all on all.
#define COUNT(T, code)                                                                                   \
    shared T bins_##T[BINS * THREADS];                                                                   \
    shared T alone_##T[MOST][THREADS], marks_##T[THREADS], sums_##T[THREADS];                            \
    void count_##T(void) {                                                                               \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(code, OPS, 0);                           \
        T sum = 0, done[THREADS], old;                                                                   \
        memset(done, 0, sizeof done);                                                                    \
        upc_forall (int i = 0; i < BINS * THREADS; i++; i)                                               \
            bins_##T[i] = 0;                                                                             \
        marks_##T[MYTHREAD] = 0;                                                                         \
        for (int t = 0; t < THREADS; t++)                                                                \
            alone_##T[MYTHREAD][t] = 0;                                                                  \
        upc_barrier;                                                                                     \
        for (int round = 0; round < ROUNDS; round++) {                                                   \
            for (int i = 0; i < EACH; i++) {                                                             \
                int t = pick(THREADS);                                                                   \
                shared T *bin = &bins_##T[pick(BINS) * THREADS + t];                                     \
                T by = (T)pick(1000), mark = (T)1 << MYTHREAD;                                           \
                switch (pick(50) ? pick(4) : 4) {                                                        \
                case 0: upc_atomic_relaxed(domain, NULL, UPC_INC, bin, NULL, NULL); sum++; break;        \
                case 1: upc_atomic_relaxed(domain, NULL, UPC_DEC, bin, NULL, NULL); sum--; break;        \
                case 2: upc_atomic_relaxed(domain, NULL, UPC_ADD, bin, &by, NULL); sum += by; break;     \
                case 3: upc_atomic_relaxed(domain, NULL, UPC_SUB, bin, &by, NULL); sum -= by; break;     \
                case 4: /* with a result, between the others */                                          \
                    upc_atomic_relaxed(domain, &old, UPC_ADD, bin, &by, NULL); sum += by; break;         \
                }                                                                                        \
                upc_atomic_relaxed(domain, NULL, UPC_INC, &alone_##T[MYTHREAD][t], NULL, NULL);          \
                done[t]++;                                                                               \
                if (i % 16 == 0) /* nobody else has changed it: reads of the own updates */              \
                    CHECK(alone_##T[MYTHREAD][t] == done[t]);                                            \
                upc_atomic_relaxed(domain, NULL, UPC_OR, &marks_##T[t], &mark, NULL);                    \
                mark = (T)~((T)1 << MYTHREAD);                                                           \
                upc_atomic_relaxed(domain, NULL, UPC_AND, &marks_##T[t], &mark, NULL);                   \
                if (i % 16 == 0) {                                                                       \
                    upc_atomic_relaxed(domain, &old, UPC_GET, &marks_##T[t], NULL, NULL);                \
                    CHECK(!(old & (T)1 << MYTHREAD));                                                    \
                }                                                                                        \
            }                                                                                            \
            if (round % 3 == 0)                                                                          \
                upc_fence;                                                                               \
        }                                                                                                \
        sums_##T[MYTHREAD] = sum;                                                                        \
        upc_barrier;                                                                                     \
        T all = 0;                                                                                       \
        for (int t = 0; t < THREADS; t++) {                                                              \
            all += sums_##T[t];                                                                          \
            for (int i = t; i < BINS * THREADS; i += THREADS)                                            \
                all -= bins_##T[i];                                                                      \
            CHECK(alone_##T[MYTHREAD][t] == done[t]);                                                    \
        }                                                                                                \
        CHECK(all == 0);                                                                                 \
        upc_barrier;                                                                                     \
        upc_all_atomicdomain_free(domain);                                                               \
    }

typedef unsigned long ulong_;
COUNT(int, UPC_INT)
COUNT(long, UPC_LONG)
COUNT(ulong_, UPC_ULONG)
COUNT(uint32_t, UPC_UINT32)

int main(void) {
    CHECK(THREADS <= MOST);
    state = (uint64_t)MYTHREAD;
    count_int();
    count_long();
    count_ulong_();
    count_uint32_t();
    return 0;
}
