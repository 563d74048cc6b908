/* All shortest paths by Floyd and Warshall: the owner of row k broadcasts it; then paths are followed by
 * pointers-to-shared that are kept in shared memory. */
//: clause 7.4.2.1 p1
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>

enum { V = 18, FAR = INT_MAX / 4 };
typedef struct { int length; signed char next; } edge;
shared [V] edge d[V * THREADS][V];          /* V rows are used */
shared [V] edge row_copy[THREADS][V];
shared [] edge *shared row_of[V * THREADS]; /* row i, by pointer */

static edge first(int i, int j) {
    edge e = {i == j ? 0 : (i * 5 + j * 3) % 7 == 1 ? 1 + (i + j) % 9 : FAR, j};
    if (j == (i + 1) % V)
        e.length = 10;
    return e;
}

int main(void) {
    int i, j, k;
    edge s[V][V];
    for (i = MYTHREAD; i < V; i += THREADS) {
        for (j = 0; j < V; j++)
            d[i][j] = first(i, j);
        row_of[i] = (shared [] edge *)&d[i][0];
    }
    upc_barrier;
    for (k = 0; k < V; k++) {
        upc_all_broadcast(row_copy, d[k], sizeof(edge[V]), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        edge *row = (edge *)&row_copy[MYTHREAD][0];
        for (i = MYTHREAD; i < V; i += THREADS) {
            edge *mine = (edge *)d[i];
            for (j = 0; j < V; j++)
                if (mine[k].length + row[j].length < mine[j].length) {
                    mine[j].length = mine[k].length + row[j].length;
                    mine[j].next = mine[k].next;
                }
        }
    }
    upc_barrier;

    for (i = 0; i < V; i++)
        for (j = 0; j < V; j++)
            s[i][j] = first(i, j);
    for (k = 0; k < V; k++)
        for (i = 0; i < V; i++)
            for (j = 0; j < V; j++)
                if (s[i][k].length + s[k][j].length < s[i][j].length)
                    s[i][j].length = s[i][k].length + s[k][j].length;
    for (i = 0; i < V; i++)
        for (j = 0; j < V; j++) {
            int at = i, length = 0;
            if (d[i][j].length != s[i][j].length) {
                printf("%d: [%d][%d] %d %d\n", MYTHREAD, i, j, d[i][j].length, s[i][j].length);
                return 1;
            }
            while (at != j && length <= s[i][j].length) {
                int to = row_of[at][j].next;
                length += first(at, to).length;
                at = to;
            }
            if (length != s[i][j].length) {
                printf("%d: path from %d to %d: %d, not %d\n", MYTHREAD, i, j, length, s[i][j].length);
                return 1;
            }
        }
    return 0;
}
