/* wavefront: the longest common subsequence of two strings, by a table whose cells each need the cell
 * above, the one to the left and the one between. Serial C for the versions in UPC, OpenMP and MPI.
 *
 * Columns are shared out. Bands of rows run through the threads as a pipeline: a thread computes a band of
 * its columns when its left neighbour's last column of that band is complete. */
#ifndef KERNELS_WAVEFRONT_H
#define KERNELS_WAVEFRONT_H

#include "../../examples/nas/random.h"

#define SEED 314159265UL
#define BAND 64 /* rows */

static const long lengths[] = {6144, 16384, 65536};
static char *down, *across; /* the strings: of the rows, of the columns */

/* Draws n random letters out of four. */
static void draw_string(char *string, long n, uint64_t seed) {
    for (long i = 0; i < n; i++)
        string[i] = (char)(4 * next_random(&seed));
}

/* Computes rows first ... end - 1 of `many' columns from column `from' on. row: the last computed row of
 * these columns. left[i + 1], right[i + 1]: row i of the column before them, and of their last column. */
static void compute_band(long first, long end, long from, long many, int *row, const int *left, int *right) {
    const char *letter = across + from;
    for (long i = first; i < end; i++) {
        int diagonal = left[i], before = left[i + 1];
        char mine = down[i];
        for (long j = 0; j < many; j++) {
            int above = row[j], most = above > before ? above : before;
            before = diagonal + (mine == letter[j]);
            before = before > most ? before : most;
            diagonal = above;
            row[j] = before;
        }
        right[i + 1] = before;
    }
}

/* Returns the length of the subsequence, by all rows and columns at once. */
static int compute_alone(long n) {
    int *row = need(calloc(n, sizeof *row)), *left = need(calloc(n + 1, sizeof *left));
    int *right = need(malloc((n + 1) * sizeof *right));
    compute_band(0, n, 0, n, row, left, right);
    int length = row[n - 1];
    free(row);
    free(left);
    free(right);
    return length;
}

#endif
