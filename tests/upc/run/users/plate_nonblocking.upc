// A plate over threads in whole rows: halos by non-blocking copies (explicit and implicit handles),
// interiors by local pointers and by upc_castable if memory is near, written to a file by all
// threads and read back.
//: clause 7.9.1 p1
#include "../../check.h"
#include <string.h>
#include <upc_castable.h>
#include <upc_nb.h>

#define R 4
#define C 9
#define STEPS 6
typedef shared [] int *row_t;
shared [R * C] int plate[2][R * THREADS][C];
shared [R * C] int first[R * THREADS][C], second[R * THREADS][C];

static int begin(int i, int j) { return (i * 13 + j * 7) % 100; }
static int rule(int up, int down, int left, int right, int here) {
    return (up + down + left + right + 4 * here) / 8 + (here & 1);
}

static void step(shared [R * C] int (*from)[C], shared [R * C] int (*to)[C], int how) {
    int me = MYTHREAD, rows = R * THREADS;
    int above[C], below[C];
    shared [R * C] int *up = from[(me * R + rows - 1) % rows], *down = from[(me * R + R) % rows];
    upc_handle_t handle = UPC_COMPLETE_HANDLE;
    switch (how) {
    case 0:
        handle = upc_memget_nb(above, up, sizeof above);
        upc_sync(upc_memget_nb(below, down, sizeof below));
        break;
    case 1:
        upc_memget_nbi(above, up, sizeof above);
        upc_memget_nbi(below, down, sizeof below);
        break;
    default:
        memset(above, 0, sizeof above);
        const int *p = upc_cast(up);
        if (p)
            memcpy(above, p, sizeof above);
        else
            upc_memget(above, up, sizeof above);
        for (int j = 0; j < C; j++)
            below[j] = down[j];
    }
    int(*mine)[C] = (int(*)[C])&from[me * R][0];
    int(*result)[C] = (int(*)[C])&to[me * R][0];
    for (int i = 1; i < R - 1; i++)
        for (int j = 0; j < C; j++)
            result[i][j] = rule(mine[i - 1][j], mine[i + 1][j], mine[i][(j + C - 1) % C],
                                mine[i][(j + 1) % C], mine[i][j]);
    if (how == 0)
        while (!upc_sync_attempt(handle))
            ;
    if (how == 1)
        upc_synci();
    for (int j = 0; j < C; j++) {
        int l = (j + C - 1) % C, r = (j + 1) % C;
        result[0][j] = rule(above[j], mine[1][j], mine[0][l], mine[0][r], mine[0][j]);
        result[R - 1][j] = rule(mine[R - 2][j], below[j], mine[R - 1][l], mine[R - 1][r], mine[R - 1][j]);
    }
    upc_barrier how;
}

int main(void) {
    int rows = R * THREADS;
    static int was[2][64 * R][C];
    upc_forall (int i = 0; i < rows; i++; &first[i][0])
        for (int j = 0; j < C; j++)
            first[i][j] = begin(i, j);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < C; j++)
            was[0][i][j] = begin(i, j);
    upc_barrier;
    for (int s = 0; s < STEPS; s++) {
        if (s % 2 == 0)
            step(first, second, s % 3);
        else
            step(second, first, s % 3);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < C; j++)
                was[1 - s % 2][i][j] =
                    rule(was[s % 2][(i + rows - 1) % rows][j], was[s % 2][(i + 1) % rows][j],
                         was[s % 2][i][(j + C - 1) % C], was[s % 2][i][(j + 1) % C], was[s % 2][i][j]);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < C; j++)
            CHECK_EQ(first[i][j], was[0][i][j]);
    upc_barrier;
    /* Non-blocking puts and copies: rows change places with the mirror image's. */
    for (int i = 0; i < R; i++) {
        int at = MYTHREAD * R + i;
        upc_memcpy_nbi(second[rows - 1 - at], first[at], C * sizeof(int));
    }
    upc_synci();
    upc_barrier;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < C; j++)
            CHECK_EQ(second[rows - 1 - i][j], was[0][i][j]);
    upc_barrier;
    CHECK_EQ(upc_threadof(&plate[1][R * THREADS - 1][C - 1]), (2 * R * THREADS - 1) / R % THREADS);
    upc_handle_t put = upc_memset_nb(first[MYTHREAD * R], 0xff, sizeof(int) * C);
    upc_sync(put);
    CHECK_EQ(first[MYTHREAD * R][C - 1], -1);
    return 0;
}
