// Loops over matrices: affinity to a row, to an element, to a column by an inner loop.
//: clause 6.6.2 p7
#include "../../check.h"

#define R 5
#define C 7
shared[C] int rows[R * THREADS][C];
shared int elements[R * THREADS][C];

int main(void) {
    int i, j;
    upc_forall(i = 0; i < R * THREADS; i++; rows[i]) for (j = 0; j < C; j++) rows[i][j] = i * C + j;
    upc_forall(i = 0; i < R * THREADS; i++; continue)
        upc_forall(j = 0; j < C; j++; &elements[i][j]) elements[i][j] = i + j;
    upc_barrier;
    for (i = 0; i < R * THREADS; i++)
        for (j = 0; j < C; j++) {
            CHECK_EQ(rows[i][j], i * C + j);
            CHECK_EQ(elements[i][j], i + j);
        }
    upc_barrier;
    upc_forall(i = 0; i < R * THREADS; i++; &rows[i][0]) {
        CHECK_EQ(upc_threadof(rows[i]), MYTHREAD);
        int sum = 0;
        for (j = 0; j < C; j++)
            sum += rows[i][j];
        rows[i][0] = sum;
    }
    upc_barrier;
    for (i = 0; i < R * THREADS; i++)
        CHECK_EQ(rows[i][0], C * C * i + C * (C - 1) / 2);
    return 0;
}
