/* smith_waterman.id in C, row by row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int larger(int a, int b) { return a > b ? a : b; }

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    size_t n = strlen(argv[1]), m = strlen(argv[2]);
    int *row = calloc(m + 1, sizeof *row), top = 0;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1, diagonal = 0; j <= m; j++) {
            int above = row[j], match = argv[1][i - 1] == argv[2][j - 1] ? 2 : -1;
            row[j] = larger(larger(0, (int)diagonal + match), larger(above - 1, row[j - 1] - 1));
            diagonal = (size_t)above;
            top = larger(top, row[j]);
        }
    printf("%d\n", top);
    free(row);
    return 0;
}
