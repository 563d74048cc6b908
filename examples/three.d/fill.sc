/* The Split-C part: every processor stores to others' elements, and all wait until every store has
 * arrived. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include "numbers.h"

void fill(numbers p, int n) {
    int i;
    for_my_1d(i, n) {
        int to = (i + 1) % n;
        p[to] :- 3 * to + 7;
    }
    all_store_sync();
}
