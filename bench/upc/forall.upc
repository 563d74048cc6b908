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

KERNEL(triad_cyclic, N, upc_forall(int i = 0; i < N * THREADS; i++; &ca[i]) ca[i] = cb[i] + 3 * cc[i];)
KERNEL(triad_by_index, N, upc_forall(int i = 0; i < N * THREADS; i++; i) ca[i] = cb[i] + 3 * cc[i];)
KERNEL(triad_blocked, N, upc_forall(int i = 0; i < N * THREADS; i++; &ba[i]) ba[i] = bb[i] + 3 * bc[i];)
KERNEL(triad_whole, N, upc_forall(int i = 0; i < N * THREADS; i++; &sa[i]) sa[i] = sb[i] + 3 * sc[i];)
KERNEL(triad_cyclic_alloc, N,
       upc_forall(int i = 0; i < N * THREADS; i++; &dca[i]) dca[i] = dcb[i] + 3 * dcc[i];)
KERNEL(triad_blocked_alloc, N,
       upc_forall(int i = 0; i < N * THREADS; i++; &dba[i]) dba[i] = dbb[i] + 3 * dbc[i];)
KERNEL(triad_for_if, N, for (int i = 0; i < N * THREADS; i++) if (upc_threadof(&ca[i]) == MYTHREAD)
                             ca[i] = cb[i] + 3 * cc[i];)
KERNEL(triad_by_hand, N, double *a = (double *)&ca[MYTHREAD], *b = (double *)&cb[MYTHREAD],
       *c = (double *)&cc[MYTHREAD]; for (int i = 0; i < N; i++) a[i] = b[i] + 3 * c[i];)
KERNEL(triad_plain, N, plain_triad(pa, pb, pc, 3, N);)

KERNEL(heat_blocked, N, upc_forall(int i = 1; i < N * THREADS - 1; i++; &sa[i]) sa[i] =
                         0.25 * (sb[i - 1] + 2 * sb[i] + sb[i + 1]);)
KERNEL(heat_plain, N, plain_heat(pa, pb, N);)

/* Computes c = a * b[0 .. 63]: the rows of b are on the first two threads. */
KERNEL(matmul_rows, ROWS * COLUMNS * COLUMNS,
       upc_forall(int i = 0; i < ROWS * THREADS; i++; &ma[i][0]) for (int j = 0; j < COLUMNS; j++) {
    double sum = 0;
    for (int l = 0; l < COLUMNS; l++)
        sum += ma[i][l] * mb[l][j];
    mc[i][j] = sum;
})
KERNEL(matmul_plain, ROWS * COLUMNS * COLUMNS, plain_matmul(pmc, pma, pmb, ROWS);)

#define UPDATES 4096
KERNEL(update_random, UPDATES, uint64_t r = seed; for (int i = 0; i < UPDATES; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    table[(r >> 33) & (2 * TABLE - 1)] ^= r;
} seed = r;)
/* Updates the same words by private pointers, so that the same lines go between the cores. */
KERNEL(update_direct, UPDATES, uint64_t r = seed; for (int i = 0; i < UPDATES; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    uint64_t n = (r >> 33) & (2 * TABLE - 1);
    parts[n & 1][n >> 1] ^= r;
} seed = r;)

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
    return MEASURE_MAIN(argc, argv);
}
