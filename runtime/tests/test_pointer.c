/* The arithmetic of pointers-to-shared in abi.h against the definition (UPC 6.4.2, 6.5.1.1), element by
 * element: the forms there avoid remainders and divisions, so that each is compared with the plain formula
 * for random elements, sizes and block sizes.  Built for THREADS chosen at start, tried with 1 … 70, and with
 * MER_STATIC_THREADS for one number each. */
#include <meridian/abi/abi.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef MER_STATIC_THREADS
#define LEAST MER_STATIC_THREADS
#define MOST MER_STATIC_THREADS
#else
#define LEAST 1
#define MOST 70
#endif

struct mer_job mer_job;
static int failures;

#define SAME(got, wanted)                                                                                    \
    do {                                                                                                     \
        unsigned long long g_ = (got), w_ = (wanted);                                                        \
        if (g_ != w_ && failures++ < 5)                                                                      \
            printf("%s:%d: %d threads: %s is 0x%llx, not 0x%llx\n", __FILE__, __LINE__, mer_job.threads,     \
                   #got, g_, w_);                                                                            \
    } while (0)

/* Describes the job as start-up does (start/start.c). */
static void describe(int threads) {
    unsigned log = 0;
    while ((1ULL << log) < (mer_u64)threads)
        log++;
    unsigned __int128 power = (unsigned __int128)1 << (63 + log);
    mer_job.threads = threads;
    mer_job.span = (MER_VIEW_SIZE >> log) - MER_SPAN_SKEW;
    mer_job.magic = (mer_u64)((power + (unsigned)threads - 1) / (unsigned)threads);
    mer_job.magic_shift = log;
}

/* 0, 1 or 2 for less than, equal to and greater than 0. */
static unsigned sign(mer_i64 n) { return (unsigned)((n > 0) - (n < 0) + 1); }

/* Returns the address of element n of an array, by the definition; block 0: indefinite. */
static mer_u64 place(mer_u64 a, mer_i64 n, mer_u64 size, mer_i64 block) {
    if (block == 0)
        return mer_bits(0, a) + (mer_u64)n * size;
    mer_i64 k = n / block, turn = k / mer_job.threads;
    return mer_bits((mer_u64)(k % mer_job.threads), a) + (mer_u64)(turn * block + n % block) * size;
}

static void check_cyclic(mer_u64 a, mer_i64 n, mer_i64 m, mer_u64 size) {
    mer_ptr p = mer_elem_c(a, n, size), q = mer_elem_c(a, m, size);
    SAME(p.bits, place(a, n, size, 1));
    SAME(mer_here_elem_c(a, n, size).bits, p.bits & MER_ADDR_MASK);
    SAME(mer_add_c(p, m - n, size).bits, q.bits);
    SAME((mer_u64)mer_diff_c(q, p, size), (mer_u64)(m - n));
    SAME(sign(mer_order_c(q, p)), sign(m - n));
    SAME(sign(mer_order_c(mer_inc_c(p, size), p)), 2);
    SAME(sign(mer_order_c(p, p)), 1);
    SAME(mer_inc_c(p, size).bits, place(a, n + 1, size, 1));
    SAME(mer_dec_c(mer_inc_c(p, size), size).bits, p.bits);
    SAME(mer_turn_c(p, 3, size).bits, place(a, n + 3 * mer_job.threads, size, 1));
    SAME(mer_add_c(mer_add_c(p, -n - m - 1, size), n + m + 1, size).bits, p.bits);
    SAME(mer_elem_i(a, n, size).bits, place(a, n, size, 0));
    SAME(mer_native(p.bits), a + (mer_u64)(n / mer_job.threads) * size);
}

static void check_blocked(mer_u64 a, mer_i64 n, mer_i64 m, mer_u64 size, mer_u64 block) {
    mer_pptr p = mer_elem_b(a, n, size, block), q = mer_elem_b(a, m, size, block);
    SAME(p.bits, place(a, n, size, (mer_i64)block));
    SAME(p.phase, (mer_u64)n % block);
    SAME(mer_here_elem_b(a, n, size, block).bits, p.bits & MER_ADDR_MASK);
    mer_pptr r = mer_add_b(p, m - n, size, block);
    SAME(r.bits, q.bits);
    SAME(r.phase, q.phase);
    SAME((mer_u64)mer_diff_b(q, p, size, block), (mer_u64)(m - n));
    SAME(sign(mer_order_b(q, p, size)), sign(m - n));
    SAME(sign(mer_order_b(p, mer_inc_b(p, size, block), size)), 0);
    SAME(sign(mer_order_b(p, p, size)), 1);
    r = mer_inc_b(p, size, block);
    SAME(r.bits, place(a, n + 1, size, (mer_i64)block));
    SAME(r.phase, (mer_u64)(n + 1) % block);
    r = mer_dec_b(r, size, block);
    SAME(r.bits, p.bits);
    SAME(r.phase, p.phase);
    /* to before the array and back */
    r = mer_add_b(mer_add_b(p, -n - m - 1, size, block), n + m + 1, size, block);
    SAME(r.bits, p.bits);
    SAME(r.phase, p.phase);
}

/* Compares the number of this thread's rows below n with a count. */
static void check_own_rows(mer_i64 n, mer_i64 block) {
    mer_i64 own = 0;
    for (mer_i64 row = 0; row < n; row++)
        own += row / block % mer_job.threads == mer_job.mythread;
    SAME((mer_u64)mer_own_rows(n, block), (mer_u64)own);
}

static void check_divisions(void) {
    static const mer_u64 far[] = {0, 1, (1ULL << 32) - 1, 1ULL << 32, (1ULL << 62) - 1, (1ULL << 63) - 1};
    mer_u64 threads = (mer_u64)mer_job.threads;
    for (unsigned i = 0; i < sizeof far / sizeof *far; i++) {
        SAME(mer_divt(far[i]), far[i] / threads);
        SAME((mer_u64)mer_floordivt((mer_i64)far[i]), far[i] / threads);
        SAME((mer_u64)mer_floordivt(~(mer_i64)far[i]), ~(far[i] / threads));
        SAME((mer_u64)mer_ceildivt((mer_i64)far[i]), far[i] / threads + (far[i] % threads != 0));
    }
    SAME(MER_SPAN, mer_job.span);
}

int main(void) {
    srand(1);
    for (int threads = LEAST; threads <= MOST; threads++) {
        describe(threads);
        check_divisions();
        for (int i = 0; i < 5000; i++) {
            mer_u64 a = (1ULL << 31) + (mer_u64)(rand() % 1000) * 64, size = rand() % 3 ? 8 : 12;
            mer_i64 n = rand() % 100000, m = rand() % 100000;
            mer_u64 block = (mer_u64)(rand() % 20) + 2;
            check_cyclic(a, n, m, size);
            check_blocked(a, n, m, size, block);
            mer_job.mythread = rand() % threads;
            if (i < 50)
                check_own_rows(n % 3000, (mer_i64)block);
        }
    }
    if (failures)
        printf("%d wrong results\n", failures);
    return failures != 0;
}
