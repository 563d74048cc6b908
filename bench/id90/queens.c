/* queens.id in C: by bit masks, to be independent of queens.id. */
#include <stdio.h>
#include <stdlib.h>

static long place(unsigned all, unsigned columns, unsigned left, unsigned right) {
    long count = 0;
    if (columns == all)
        return 1;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned q = free & (0 - free);
        count += place(all, columns | q, (left | q) << 1, (right | q) >> 1);
    }
    return count;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6;
    printf("%ld\n", place((1u << n) - 1, 0, 0, 0));
    return 0;
}
