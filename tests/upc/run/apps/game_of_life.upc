// The game of life on a torus with rows distributed one by one; a glider comes back after 4 * SIZE steps.
#include <upc_relaxed.h>
#include "../../check.h"

#define SIZE 16
shared[SIZE] unsigned char cells[2][SIZE * THREADS][SIZE]; /* the first SIZE rows are used */

static int around(int g, int i, int j) {
    int n = 0;
    for (int di = SIZE - 1; di <= SIZE + 1; di++)
        for (int dj = SIZE - 1; dj <= SIZE + 1; dj++)
            n += (di != SIZE || dj != SIZE) && cells[g][(i + di) % SIZE][(j + dj) % SIZE];
    return n;
}

int main(void) {
    static const char glider[3][4] = {".#.", "..#", "###"};
    if (MYTHREAD == 0)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                cells[0][i][j] = glider[i][j] == '#';
    upc_barrier;
    int g = 0;
    for (int step = 0; step < 4 * SIZE; step++, g = !g) {
        upc_forall(int i = 0; i < SIZE; i++; &cells[g][i][0]) for (int j = 0; j < SIZE; j++) {
            int n = around(g, i, j);
            cells[!g][i][j] = n == 3 || (n == 2 && cells[g][i][j]);
        }
        upc_barrier step;
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            CHECK_EQ(cells[g][i][j], i < 3 && j < 3 && glider[i][j] == '#');
    return 0;
}
