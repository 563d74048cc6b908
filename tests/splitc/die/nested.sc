//: clause library 12
//: threads 2 3
//: mode dynamic
//: expect-err a function that atomic() runs calls an atomic operation
// An atomic in a function that atomic() runs would wait for itself.
#include <split-c/split-c.h>

static int count;

static int again(int *p) { return fetch_and_add((int *global)p, 1); }

int splitc_main(void) {
    if (MYPROC == 1)
        atomic(again, toglobal(0, &count));
    barrier();
    return 0;
}
