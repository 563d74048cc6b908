/* wavefront.id in C. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 40;
    long *w = malloc(sizeof *w * (size_t)(n * n)), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i * n + j] = i == 0 || j == 0
                               ? 1
                               : (w[(i - 1) * n + j] + w[i * n + j - 1] + w[(i - 1) * n + j - 1]) % 9973;
    for (int i = 0; i < n; i++)
        s += w[i * n + n - 1 - i];
    printf("(%ld,%ld)\n", w[n * n - 1], s);
    free(w);
    return 0;
}
