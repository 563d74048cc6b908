// A message of the runtime is followed by the program's line, through an inlined function and a library.
//: threads 1 3
//: expect-err cannot be freed: it points to no allocation
//: expect-err in release
//: expect-err line_of_call.upc:12
#include <stdlib.h>
#include <upc.h>

shared int a[THREADS];

static inline void release(shared void *p) {
    upc_free(p);
}

static int release_all(const void *x, const void *y) {
    (void)x, (void)y;
    release(a);
    upc_barrier;
    return 0;
}

int main(void) {
    int numbers[2] = {2, 1};
    if (MYTHREAD == THREADS - 1)
        qsort(numbers, 2, sizeof *numbers, release_all);
    upc_barrier;
    return 0;
}
