// A matrix, blocked by rows, is transposed by single elements, and back by gets of whole rows.
#include <upc_relaxed.h>
#include "../../check.h"

#define R 3
#define MAX 24
typedef shared[] int *row_t;
shared row_t a[R * THREADS], b[R * THREADS];

int main(void) {
    int n = R * THREADS;
    CHECK(n <= MAX);
    upc_forall(int i = 0; i < n; i++; &a[i]) {
        a[i] = (row_t)upc_alloc(n * sizeof(int));
        b[i] = (row_t)upc_alloc(n * sizeof(int));
        for (int j = 0; j < n; j++)
            a[i][j] = 100 * i + j;
    }
    upc_barrier;
    upc_forall(int i = 0; i < n; i++; &b[i]) for (int j = 0; j < n; j++) b[i][j] = a[j][i];
    upc_barrier;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            CHECK_EQ(b[i][j], 100 * j + i);
    upc_barrier;
    int row[MAX];
    upc_forall(int j = 0; j < n; j++; &b[j]) {
        upc_memget(row, b[j], n * sizeof(int));
        for (int i = 0; i < n; i++)
            a[i][j] = row[i] + 1;
    }
    upc_barrier;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            CHECK_EQ(a[i][j], 100 * i + j + 1);
    return 0;
}
