// Nests that go along the memory of another thread, from one kilobyte to the next, and write ahead of
// their reads: near and far, words, updates and bytes. They read their own writes, whether these were
// requested in advance or not. Each thread has the block of the next one for itself.
//: threads 2 3 4
#include <upc_relaxed.h>
#include "../../check.h"

#define ROWS 40
#define COLUMNS 130 /* rows are not whole lines */

shared[ROWS * COLUMNS] long a[THREADS][ROWS][COLUMNS];
shared[ROWS * COLUMNS] char bytes[THREADS][ROWS][COLUMNS];
static long is[ROWS][COLUMNS];
static char byte_is[ROWS][COLUMNS];
static int to;

static void fill(void) {
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            a[to][r][c] = is[r][c] = r * 1000 + c;
            bytes[to][r][c] = byte_is[r][c] = (char)(r + c);
        }
    upc_fence;
}

/* Writes `rows' rows and `columns' columns ahead of the reads. */
static void words(int rows, int columns) {
    unsigned long sum = 0, right = 0;
    for (int r = 0; r < ROWS - rows; r++)
        for (int c = 0; c < COLUMNS - columns; c++) {
            sum = sum * 3 + a[to][r][c];
            a[to][r + rows][c + columns] = c;
        }
    for (int r = 0; r < ROWS - rows; r++)
        for (int c = 0; c < COLUMNS - columns; c++) {
            right = right * 3 + is[r][c];
            is[r + rows][c + columns] = c;
        }
    CHECK_EQ(sum, right);
}

static void updates(int rows, int columns) {
    unsigned long sum = 0, right = 0;
    for (int r = 0; r < ROWS - rows; r++)
        for (int c = 0; c < COLUMNS - columns; c++) {
            sum = sum * 5 + a[to][r][c];
            if (c % 3 == 0)
                a[to][r + rows][c + columns] += r;
        }
    for (int r = 0; r < ROWS - rows; r++)
        for (int c = 0; c < COLUMNS - columns; c++) {
            right = right * 5 + is[r][c];
            if (c % 3 == 0)
                is[r + rows][c + columns] += r;
        }
    CHECK_EQ(sum, right);
}

static void single_bytes(int rows) {
    unsigned long sum = 0, right = 0;
    for (int r = 0; r < ROWS - rows; r++)
        for (int c = 0; c < COLUMNS; c++) {
            sum = sum * 7 + bytes[to][r][c];
            bytes[to][r + rows][c] = (char)(c * r);
        }
    for (int r = 0; r < ROWS - rows; r++)
        for (int c = 0; c < COLUMNS; c++) {
            right = right * 7 + byte_is[r][c];
            byte_is[r + rows][c] = (char)(c * r);
        }
    CHECK_EQ(sum, right);
}

/* Inner loops that are shorter than a line; the next nest begins while lines of this one are under way. */
static void short_loops(int columns) {
    unsigned long sum = 0, right = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < columns; c++)
            sum += a[to][r][c] * (r + 1);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < columns; c++)
            right += is[r][c] * (r + 1);
    CHECK_EQ(sum, right);
}

int main(void) {
    to = (MYTHREAD + 1) % THREADS;
    fill();
    for (int rows = 0; rows < 12; rows++) {
        words(rows, rows ? 0 : 1);
        words(rows, 7);
        updates(rows, 1);
        single_bytes(rows + 1);
        short_loops(1 + rows * 10);
    }
    upc_barrier;
    return 0;
}
