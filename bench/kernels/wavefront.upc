/* wavefront in UPC: a thread's left column is in its shared memory. Its neighbour writes each band of it by
 * one transfer that posts a semaphore, and goes on at once. With LOOP, in the simplest form: the elements of
 * a band by plain relaxed writes, and then a strict flag, which the thread polls. */
#include "../../examples/nas/nas.h"
#include "wavefront.h"

#include <bupc_extensions.h>

typedef shared[] int *column_t;
static shared column_t columns[THREADS];
static bupc_sem_t *shared semaphores[THREADS];
static shared int result;
static strict shared long there[THREADS]; /* with LOOP: rows of the left column that have been written */

#ifdef LOOP
static void await_band(bupc_sem_t *mine, long end) {
    (void)mine;
    while (there[MYTHREAD] < end)
        ;
}

static void send_band(column_t to, const int *from, long first, long end, bupc_sem_t *theirs) {
    (void)theirs;
    for (long i = first + 1; i <= end; i++)
        to[i] = from[i];
    there[MYTHREAD + 1] = end;
}
#else
static void await_band(bupc_sem_t *mine, long end) {
    (void)end;
    bupc_sem_wait(mine);
}

static void send_band(column_t to, const int *from, long first, long end, bupc_sem_t *theirs) {
    bupc_memput_signal_async(to + first + 1, from + first + 1, (end - first) * sizeof(int), theirs, 1);
}
#endif

/* Computes all bands of this thread's columns. */
static void compute(long n, int *row, const int *left, int *right) {
    int next = MYTHREAD + 1;
    bool last = next == THREADS;
    column_t to = columns[last ? MYTHREAD : next];
    bupc_sem_t *mine = semaphores[MYTHREAD], *theirs = semaphores[last ? MYTHREAD : next];
    long from = first_of(MYTHREAD, n), many = share_of(MYTHREAD, n);
    for (long first = 0; first < n; first += BAND) {
        long end = first + BAND < n ? first + BAND : n;
        if (MYTHREAD > 0)
            await_band(mine, end);
        compute_band(first, end, from, many, row, left, right);
        if (!last)
            send_band(to, right, first, end, theirs);
    }
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    long n = lengths[class];
    down = need(malloc(n));
    across = need(malloc(n));
    draw_string(down, n, SEED);
    draw_string(across, n, SEED + 2);
    int *row = need(calloc(share_of(MYTHREAD, n) + 1, sizeof *row));
    int *right = need(calloc(n + 1, sizeof *right));
    columns[MYTHREAD] = (column_t)need_shared((n + 1) * sizeof(int));
    int *left = (int *)columns[MYTHREAD];
    memset(left, 0, (n + 1) * sizeof *left);
    semaphores[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    upc_barrier;
    double begin = seconds();
    compute(n, row, left, right);
    upc_barrier;
    double took = seconds() - begin;
    if (MYTHREAD == THREADS - 1)
        result = right[n];
    upc_barrier;
    int right_length = MYTHREAD == 0 ? compute_alone(n) : 0;
    bool good = MYTHREAD != 0 || agrees("the length", result, right_length, 0);
    return verdict("wavefront", class, good, took, (double)n * n);
}
