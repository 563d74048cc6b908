// Pointers to shared arrays: rows of matrices by pointer, steps of whole rows, and element pointers made
// of them.
//: clause 6.4.2 p3
//: clause 6.5.2.1 p11
#include "../../check.h"

#define COLUMNS 6
shared[COLUMNS] int by_row[4 * THREADS][COLUMNS];
shared int cyclic[THREADS][COLUMNS];
shared[] int solid[5][COLUMNS];

int main(void) {
    upc_forall(int i = 0; i < 4 * THREADS; i++; &by_row[i][0]) {
        shared[COLUMNS] int *row = by_row[i];
        for (int j = 0; j < COLUMNS; j++)
            row[j] = 10 * i + j;
    }
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < COLUMNS; j++)
                solid[i][j] = 100 * i + j;
    upc_barrier;
    shared[COLUMNS] int(*row)[COLUMNS] = by_row;
    for (int i = 0; i < 4 * THREADS; i++, row++) {
        CHECK_EQ(upc_threadof(row), i % THREADS);
        CHECK_EQ((*row)[3], 10 * i + 3);
        CHECK_EQ(row[0][5], 10 * i + 5);
        CHECK_EQ(*(*row + 2), 10 * i + 2);
        CHECK_EQ(row - by_row, i);
    }
    row -= 4 * THREADS;
    CHECK(row == by_row && &row[2][1] == &by_row[2][1]);
    CHECK_EQ(&by_row[3][2] - &by_row[0][0], 3 * COLUMNS + 2);
    shared[] int(*plane)[COLUMNS] = solid;
    CHECK_EQ(plane[4][5], 405);
    CHECK_EQ((*++plane)[1], 101);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            CHECK_EQ(upc_threadof(&cyclic[i][j]), (i * COLUMNS + j) % THREADS);
            CHECK(&cyclic[i][j] == &cyclic[0][0] + (i * COLUMNS + j));
        }
    return 0;
}
