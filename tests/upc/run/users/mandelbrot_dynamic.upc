// Dynamic scheduling: a thread draws the row of a picture whose number it takes next, by a lock in one
// run and by an atomic addition in another; histograms by indefinite arrays of counters.
//: clause 7.2.4.7 p1
#include <string.h>
#include <upc_atomic.h>
#include "../../check.h"

#define SIZE 20
#define LIMIT 30
typedef unsigned char pixel;
shared[SIZE] pixel picture[2][SIZE * THREADS][SIZE];
shared int next_row;
shared[] int *histogram;
shared int drawn[THREADS];

static int depth(double cx, double cy) {
    double x = 0, y = 0;
    int n = 0;
    while (n < LIMIT && x * x + y * y < 4) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    return n;
}
static pixel at(int i, int j, int rows) { return depth(-2 + 3.0 * i / rows, -1.5 + 3.0 * j / SIZE); }

static void draw(int which, int row) {
    pixel line[SIZE];
    for (int j = 0; j < SIZE; j++)
        line[j] = at(row, j, SIZE * THREADS);
    upc_memput(&picture[which][row], line, sizeof line);
    drawn[MYTHREAD]++;
}

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_INC, 0);
    shared void *counters = upc_all_alloc(1, (LIMIT + 1) * sizeof(int));
    histogram = (shared[] int *)counters;
    const int rows = SIZE * THREADS;
    if (MYTHREAD == 0)
        for (int k = 0; k <= LIMIT; k++)
            histogram[k] = 0;
    upc_barrier;
    for (;;) {
        upc_lock(lock);
        int row = next_row < rows ? next_row++ : -1;
        upc_unlock(lock);
        if (row < 0)
            break;
        draw(0, row);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        next_row = 0;
    upc_barrier;
    int row, one = 1;
    while (upc_atomic_strict(domain, &row, UPC_ADD, &next_row, &one, NULL), row < rows)
        draw(1, row);
    upc_barrier;
    upc_forall (int i = 0; i < rows; i++; &picture[0][i][0])
        for (int j = 0; j < SIZE; j++)
            upc_atomic_relaxed(domain, NULL, UPC_INC, &histogram[picture[0][i][j]], NULL, NULL);
    upc_barrier;
    int total = 0, want[LIMIT + 1] = {0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < SIZE; j++) {
            pixel p = at(i, j, rows);
            CHECK(picture[0][i][j] == p && picture[1][i][j] == p);
            want[p]++;
        }
    for (int k = 0; k <= LIMIT; k++)
        CHECK_EQ(histogram[k], want[k]);
    for (int t = 0; t < THREADS; t++)
        total += drawn[t];
    CHECK_EQ(total, 2 * rows);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(counters);
    upc_all_lock_free(lock);
    upc_all_atomicdomain_free(domain);
    return 0;
}
