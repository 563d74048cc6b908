/* <split-c/split-c.h> brings the control statements along. */
//: clause array 10
//: clause library 10
#include <split-c/split-c.h>
#include <split-c/com.h>
#include "../check.h"
int hits[PROCS]::, a[100]::, b[5][7]::;
splitc_main()
{
    int i, j, l, k = 0, sum = 0;
    on_one { hits[0]++; }
    on_proc(PROCS - 1) hits[PROCS - 1]++;
    for_my_1d(i, 100) a[i] = i;
    for_my_2d(i, j, 5, 7) k++;
    /* The paper's form, with the number of the element. */
    for_my_2D(i, j, l, 5, 7) b[i][j] = l + 1;
    barrier();
    for (i = 0; i < 35; i++) CHECK(b[i / 7][i % 7] == i + 1);
    for (i = 0; i < 100; i++) sum += a[i];
    CHECK(sum == 4950 && all_reduce_to_all_add(k) == 35);
    CHECK(hits[0] + (PROCS > 1 ? hits[PROCS - 1] : 0) == 2);
    barrier();
    return 0;
}
