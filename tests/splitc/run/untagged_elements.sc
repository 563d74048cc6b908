//: clause array 1
/* Arrays whose length depends on PROCS, of a struct without a tag, which gets a name after their definition:
 * the record that gives start-up their size comes before the name. */
#include <split-c/split-c.h>
#include "../check.h"

struct outer { struct { int a, b; } inner; long rest; };
extern __typeof__(((struct outer *)0)->inner) g[PROCS + 1]::;
__typeof__(((struct outer *)0)->inner) g[PROCS + 1]::;
typedef __typeof__(((struct outer *)0)->inner) part;
extern part g[PROCS + 1]::;

int splitc_main() {
    int i;
    for_my_1d(i, PROCS + 1) g[i].b = i + 1;
    barrier();
    for (i = 0; i <= PROCS; i++) CHECK(g[i].b == i + 1);
    barrier();
    return 0;
}
