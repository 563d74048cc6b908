// A column index runs over the number of rows. Repaired.
#include <upc.h>

#define ROWS 8
#define COLUMNS 4

shared [COLUMNS] int table[ROWS * THREADS][COLUMNS];

int main(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            table[MYTHREAD * ROWS + i][j] = j;
    return 0;
}
