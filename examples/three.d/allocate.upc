/* The UPC part: shared memory, and the end of the job, which UPC's main begins. */
#include <upc.h>
#include "numbers.h"

numbers allocate(int n) { return upc_all_alloc((n + THREADS - 1) / THREADS * THREADS, sizeof(int)); }

void release(numbers p) {
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(p);
}
