/* GNU C takes declarations of labels at the beginning of a block only. */
#include <split-c/split-c.h>
#include "../check.h"

int sum(int n, int m, double a[n][m]::)
{
    __label__ more, done;
    int i = 0, s = 0;
more:
    if (i == n * m)
        goto done;
    s += (int)a[i / m][i % m];
    i++;
    goto more;
done:
    return s;
}

int main(void)
{
    __label__ again;
    __label__ out;
    int turns = 0, i, j;
    double a[2][PROCS]::;

again:
    if (turns++ < 3)
        goto again;
    CHECK(turns == 4);
    for_my_2d(i, j, 2, PROCS)
        a[i][j] = i + j;
    barrier();
    CHECK(sum(2, PROCS, a) == PROCS * (PROCS - 1) + PROCS);
    if (turns > 0)
        goto out;
    CHECK(0);
out:
    barrier();
    return 0;
}
