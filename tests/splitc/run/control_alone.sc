/* <split-c/split-c.h> brings the control statements along. */
//: clause array 10
//: clause library 10
#include <split-c/split-c.h>
#include "../check.h"
int hits[PROCS]::, a[100]::;
splitc_main()
{
    int i, j, k = 0, sum = 0;
    on_one { hits[0]++; }
    on_proc(PROCS - 1) hits[PROCS - 1]++;
    for_my_1d(i, 100) a[i] = i;
    for_my_2d(i, j, 5, 7) k++;
    barrier();
    for (i = 0; i < 100; i++) sum += a[i];
    CHECK(sum == 4950 && all_reduce_to_all_add(k) == 35);
    CHECK(hits[0] + (PROCS > 1 ? hits[PROCS - 1] : 0) == 2);
    barrier();
    return 0;
}
