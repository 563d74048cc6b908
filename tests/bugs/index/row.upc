// A column index runs over the number of rows.
// finds: 13: index `j` reaches 7
#include <upc.h>

#define ROWS 8
#define COLUMNS 4

shared [COLUMNS] int table[ROWS * THREADS][COLUMNS];

int main(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            table[MYTHREAD * ROWS + i][j] = j;
    return 0;
}
