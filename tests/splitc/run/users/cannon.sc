/* A ring of products in the manner of Cannon: rows of A stay, blocks of B travel by puts into double buffers;
 * 1995 style with typedefs of spread blocks and nested functions' worth of macros. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../check.h"
#define K 3
#define NN (K * PROCS)
#define EVERY(i, n) for ((i) = 0; (i) < (n); (i)++)
typedef int Strip[K * 64];
typedef Strip *spread Strips;
int a_rows[PROCS]::[K][K * PROCS], c_rows[PROCS]::[K][K * PROCS];
Strip b_now[PROCS]::, b_next[PROCS]::;

int a_of(i, j) { return i - 2 * j; }
int b_of(i, j) { return (i * j) % 5; }

splitc_main()
{
    int i, j, k, hop, at = MYPROC;
    int left = (MYPROC + PROCS - 1) % PROCS;
    Strips now = b_now, next = b_next, kept;
    EVERY(i, K) EVERY(j, NN) {
        a_rows[MYPROC][i][j] = a_of(MYPROC * K + i, j);
        c_rows[MYPROC][i][j] = 0;
        (*(now + MYPROC))[i * NN + j] = b_of(MYPROC * K + i, j);
    }
    barrier();
    EVERY(hop, PROCS) {
        int *b = (int *)now[MYPROC];
        EVERY(i, K) EVERY(j, NN) next[left][i * NN + j] := b[i * NN + j];
        EVERY(i, K) EVERY(j, NN) EVERY(k, K)
            c_rows[MYPROC][i][j] += a_rows[MYPROC][i][at * K + k] * b[k * NN + j];
        sync();
        barrier();
        kept = now, now = next, next = kept;
        at = (at + 1) % PROCS;
    }
    EVERY(i, NN) EVERY(j, NN) {
        int sum = 0;
        EVERY(k, NN) sum += a_of(i, k) * b_of(k, j);
        CHECK(c_rows[i / K][i % K][j] == sum);
    }
    return 0;
}
