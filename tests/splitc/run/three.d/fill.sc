/* Every processor stores to elements of all the others. */
#include <split-c/split-c.h>
#include "three.h"

union both {
    int *spread pointer;
    unsigned long long bits;
};

void splitc_fill(unsigned long long bits, int n) {
    union both u;
    int i;
    u.bits = bits;
    for (i = MYPROC; i < n; i += PROCS) {
        int to = (i + 1) % n;
        u.pointer[to] :- 3 * to + 7;
    }
    all_store_sync();
}
