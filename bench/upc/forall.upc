/* Loops of upc_forall against the same loop privatised by hand and in plain C. */
#include "../measure.h"

#include "../c/plain.h"
#include <stdint.h>

#define N 704 /* elements a thread: arrays in the first-level cache, no two near a multiple of 4 KB apart */
#define BLOCK 16
#define ROWS 32
#define COLUMNS 64

static shared double ca[N * THREADS], cb[N * THREADS], cc[N * THREADS];
static shared [BLOCK] double ba[N * THREADS], bb[N * THREADS], bc[N * THREADS];
static shared [*] double sa[N * THREADS], sb[N * THREADS], sc[N * THREADS];
static shared double *dca, *dcb, *dcc;
static shared [BLOCK] double *dba, *dbb, *dbc;
static double pa[N], pb[N], pc[N];

static shared [ROWS * COLUMNS] double ma[ROWS * THREADS][COLUMNS], mb[ROWS * THREADS][COLUMNS],
    mc[ROWS * THREADS][COLUMNS];
static double pma[ROWS][COLUMNS], pmb[COLUMNS][COLUMNS], pmc[ROWS][COLUMNS];

#define TABLE (1 << 14) /* words a thread: the second-level cache holds all */
static shared uint64_t table[TABLE * THREADS];
static uint64_t *parts[2], seed = 1;

/* Returns the address in this process of any thread's part (c/view.c). */
uint64_t *bench_view(shared [] uint64_t *part);

#define TURNS(name, ...)                                                                                     \
    static void name(long turns) {                                                                           \
        while (turns--) {                                                                                    \
            __VA_ARGS__                                                                                      \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }

TURNS(triad_cyclic, upc_forall(int i = 0; i < N * THREADS; i++; &ca[i]) ca[i] = cb[i] + 3 * cc[i];)
TURNS(triad_by_index, upc_forall(int i = 0; i < N * THREADS; i++; i) ca[i] = cb[i] + 3 * cc[i];)
TURNS(triad_blocked, upc_forall(int i = 0; i < N * THREADS; i++; &ba[i]) ba[i] = bb[i] + 3 * bc[i];)
TURNS(triad_whole, upc_forall(int i = 0; i < N * THREADS; i++; &sa[i]) sa[i] = sb[i] + 3 * sc[i];)
TURNS(triad_cyclic_alloc, upc_forall(int i = 0; i < N * THREADS; i++; &dca[i]) dca[i] = dcb[i] + 3 * dcc[i];)
TURNS(triad_blocked_alloc, upc_forall(int i = 0; i < N * THREADS; i++; &dba[i]) dba[i] = dbb[i] + 3 * dbc[i];)
TURNS(triad_for_if, for (int i = 0; i < N * THREADS; i++) if (upc_threadof(&ca[i]) == MYTHREAD)
                        ca[i] = cb[i] + 3 * cc[i];)
TURNS(triad_by_hand, double *a = (double *)&ca[MYTHREAD], *b = (double *)&cb[MYTHREAD],
      *c = (double *)&cc[MYTHREAD]; for (int i = 0; i < N; i++) a[i] = b[i] + 3 * c[i];)
TURNS(triad_plain, plain_triad(pa, pb, pc, 3, N);)

TURNS(heat_blocked, upc_forall(int i = 1; i < N * THREADS - 1; i++; &sa[i]) sa[i] =
                        0.25 * (sb[i - 1] + 2 * sb[i] + sb[i + 1]);)
TURNS(heat_plain, plain_heat(pa, pb, N);)

/* Computes c = a * b[0 .. 63]: the rows of b are on the first two threads. */
TURNS(matmul_rows, upc_forall(int i = 0; i < ROWS * THREADS; i++; &ma[i][0]) for (int j = 0; j < COLUMNS; j++) {
    double sum = 0;
    for (int l = 0; l < COLUMNS; l++)
        sum += ma[i][l] * mb[l][j];
    mc[i][j] = sum;
})
TURNS(matmul_plain, plain_matmul(pmc, pma, pmb, ROWS);)

#define UPDATES 4096
TURNS(update_random, uint64_t r = seed; for (int i = 0; i < UPDATES; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    table[(r >> 33) & (2 * TABLE - 1)] ^= r;
} seed = r;)
/* Updates the same words by private pointers, so that the same lines go between the cores. */
TURNS(update_direct, uint64_t r = seed; for (int i = 0; i < UPDATES; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    uint64_t n = (r >> 33) & (2 * TABLE - 1);
    parts[n & 1][n >> 1] ^= r;
} seed = r;)

static const struct kernel kernels[] = {
    {"triad_plain", triad_plain, N},
    {"triad_by_hand", triad_by_hand, N},
    {"triad_cyclic", triad_cyclic, N},
    {"triad_by_index", triad_by_index, N},
    {"triad_blocked", triad_blocked, N},
    {"triad_whole", triad_whole, N},
    {"triad_cyclic_alloc", triad_cyclic_alloc, N},
    {"triad_blocked_alloc", triad_blocked_alloc, N},
    {"triad_for_if", triad_for_if, N},
    {"heat_blocked", heat_blocked, N},
    {"heat_plain", heat_plain, N},
    {"matmul_rows", matmul_rows, ROWS *COLUMNS *COLUMNS},
    {"matmul_plain", matmul_plain, ROWS *COLUMNS *COLUMNS},
    {"update_random", update_random, UPDATES},
    {"update_direct", update_direct, UPDATES},
};

int main(int argc, char **argv) {
    dca = upc_all_alloc(N * THREADS, sizeof(double));
    dcb = upc_all_alloc(N * THREADS, sizeof(double));
    dcc = upc_all_alloc(N * THREADS, sizeof(double));
    dba = upc_all_alloc(N * THREADS / BLOCK, BLOCK * sizeof(double));
    dbb = upc_all_alloc(N * THREADS / BLOCK, BLOCK * sizeof(double));
    dbc = upc_all_alloc(N * THREADS / BLOCK, BLOCK * sizeof(double));
    for (int t = 0; t < 2; t++)
        parts[t] = bench_view((shared [] uint64_t *)&table[t]);
    seed += (uint64_t)MYTHREAD * 12345;
    return MEASURE_MAIN(argc, argv, kernels);
}
