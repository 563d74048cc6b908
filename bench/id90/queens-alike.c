/* Queens by lists, as in queens.id: this measures the cost of the language apart from the algorithm. With
 * OpenMP the positions of the first queen are shared out. */
#include <stdio.h>
#include <stdlib.h>

struct list {
    long queen;
    const struct list *rest;
};

static int safe(long queen, long distance, const struct list *board) {
    for (; board; board = board->rest, distance++)
        if (board->queen == queen || labs(board->queen - queen) == distance)
            return 0;
    return 1;
}

static long place(long n, long left, const struct list *board);

static long place_at(long queen, long n, long left, const struct list *board) {
    if (!safe(queen, 1, board))
        return 0;
    struct list *longer = malloc(sizeof *longer);
    if (!longer)
        return 0;
    *longer = (struct list){queen, board};
    long total = place(n, left - 1, longer);
    free(longer);
    return total;
}

static long place(long n, long left, const struct list *board) {
    if (left == 0)
        return 1;
    long total = 0;
    for (long queen = 1; queen <= n; queen++)
        total += place_at(queen, n, left, board);
    return total;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atoi(argv[1]) : 6, total = 0;
#pragma omp parallel for reduction(+ : total) schedule(dynamic)
    for (long queen = 1; queen <= n; queen++)
        total += place_at(queen, n, n, NULL);
    printf("%ld\n", total);
    return 0;
}
