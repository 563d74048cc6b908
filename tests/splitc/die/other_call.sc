//: clause library 1
//: threads 2 3 5
//: expect-err called barrier
//: expect-err called all_store_sync
// Processors that wait for all in different calls.
#include <split-c/split-c.h>

int splitc_main(void) {
    if (MYPROC)
        all_store_sync();
    else
        barrier();
    return 0;
}
