/* Jacobi on a spread array of rows, ghost rows fetched by bulk_get while the interior is computed, the
 * same with split-phase gets of single elements, and with stores from the neighbours. */
#include <split-c/split-c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../check.h"
#define R 4
#define C 11

struct strip { double row[R + 2][C]; int steps; };
struct strip strips[PROCS]::;
double flat[PROCS * R]::[C];

static double begin(int i, int j) { return (i * 5 + j * 3) % 17; }
static double rule(double a, double b, double c, double d) { return (a + b + c + d) * 0.25; }

static void relax(double (*from)[C], double (*to)[C], int first, int last) {
    int i, j;
    for (i = first; i <= last; i++)
        for (j = 0; j < C; j++)
            to[i][j] = rule(from[i - 1][j], from[i + 1][j], from[i][(j + 1) % C],
                            from[i][(j + C - 1) % C]);
}

int splitc_main(int argc, char **argv) {
    struct strip *my = (struct strip *)&strips[MYPROC];
    int up = (MYPROC + PROCS - 1) % PROCS, down = (MYPROC + 1) % PROCS, i, j, s;
    double next[R + 2][C];
    double (*was)[C] = malloc(sizeof(double) * PROCS * R * C);
    double (*is)[C] = malloc(sizeof(double) * PROCS * R * C);
    for (i = 0; i < R; i++)
        for (j = 0; j < C; j++)
            my->row[i + 1][j] = begin(MYPROC * R + i, j);
    for (i = 0; i < R * PROCS; i++)
        for (j = 0; j < C; j++)
            was[i][j] = begin(i, j);
    barrier();
    for (s = 0; s < 9; s++) {
        switch (s % 3) {
        case 0:
            bulk_get(my->row[0], (double *global)&strips[up].row[R][0], sizeof my->row[0]);
            bulk_get(my->row[R + 1], (double *global)&strips[down].row[1][0], sizeof my->row[0]);
            relax(my->row, next, 2, R - 1);
            sync();
            break;
        case 1:
            for (j = 0; j < C; j++) {
                my->row[0][j] := strips[up].row[R][j];
                my->row[R + 1][j] := strips[down].row[1][j];
            }
            relax(my->row, next, 2, R - 1);
            sync();
            break;
        default:
            for (j = 0; j < C; j++)
                strips[down].row[0][j] :- my->row[R][j];
            bulk_store((double *global)&strips[up].row[R + 1][0], my->row[1], sizeof my->row[1]);
            relax(my->row, next, 2, R - 1);
            store_sync(2 * sizeof my->row[0]);
        }
        relax(my->row, next, 1, 1);
        relax(my->row, next, R, R);
        barrier();
        memcpy(my->row[1], next[1], sizeof(double) * R * C);
        strips[down].steps++;
        for (i = 0; i < R * PROCS; i++)
            for (j = 0; j < C; j++)
                is[i][j] = rule(was[(i + R * PROCS - 1) % (R * PROCS)][j], was[(i + 1) % (R * PROCS)][j],
                                was[i][(j + 1) % C], was[i][(j + C - 1) % C]);
        memcpy(was, is, sizeof(double) * PROCS * R * C);
        barrier();
    }
    CHECK(my->steps == 9);
    for (i = 0; i < R; i++)
        for (j = 0; j < C; j++)
            CHECK(my->row[i + 1][j] == was[MYPROC * R + i][j]);
    /* Whole rows by assignment of elements to a spread array of another shape. */
    for (i = 0; i < R; i++)
        for (j = 0; j < C; j++)
            flat[MYPROC * R + i][j] := my->row[i + 1][j];
    sync();
    barrier();
    for (i = 0; i < R * PROCS; i++) {
        CHECK(toproc(&flat[i][0]) == i % PROCS);
        for (j = 0; j < C; j++)
            CHECK(flat[i][j] == was[i][j]);
    }
    return 0;
}
