/* nqueens: the number of ways to place N queens on a board, none attacking another.
 *
 * The work is a tree whose branches differ much in size, so that distributing them in advance would leave
 * threads idle. Here the branches (the first two rows' queens) are numbered, and each thread takes the next
 * number from a shared counter, under a lock, whenever it has nothing to do. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 10
#define SOLUTIONS 724 /* for N = 10 */

shared int next_branch; /* guarded by branch_lock */
static upc_lock_t *branch_lock;
shared long solutions[THREADS];

static int take_branch(void) {
    upc_lock(branch_lock);
    int branch = next_branch++;
    upc_unlock(branch_lock);
    return branch;
}

/* Solutions with queens in the rows above: bit j of `columns` is an occupied column, of `left` and
 * `right` a column that a diagonal attacks in this row. */
static long place(unsigned columns, unsigned left, unsigned right) {
    const unsigned all = (1u << N) - 1;
    if (columns == all)
        return 1;
    long count = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned queen = free & -free;
        count += place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return count;
}

/* The branch with queens at columns branch / N and branch % N of the first two rows. */
static long solve(int branch) {
    unsigned first = 1u << branch / N, second = 1u << branch % N;
    unsigned left = first << 1, right = first >> 1;
    if (second & (first | left | right))
        return 0;
    return place(first | second, (left | second) << 1, (right | second) >> 1);
}

int main(void) {
    branch_lock = upc_all_lock_alloc();
    for (int branch; (branch = take_branch()) < N * N;)
        solutions[MYTHREAD] += solve(branch);
    upc_barrier;

    long total = 0;
    for (int t = 0; t < THREADS; t++)
        total += solutions[t];
    if (MYTHREAD == 0)
        printf("%d queens: %ld solutions\n", N, total);
    upc_all_lock_free(branch_lock);
    return total != SOLUTIONS;
}
