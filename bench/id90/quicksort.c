/* quicksort.id in C, by the library's sort. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 300;
    long *all = malloc(sizeof *all * (size_t)n), x = 42;
    for (int i = 0; i < n; i++, x = (x * 1103 + 12345) % 65536)
        all[i] = x;
    qsort(all, (size_t)n, sizeof *all, compare);
    for (int i = 0; i < n; i++)
        printf("%ld:", all[i]);
    puts("Nil");
    free(all);
    return 0;
}
