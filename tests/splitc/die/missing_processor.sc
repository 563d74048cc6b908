//: clause access 10
//: threads 1 3
//: expect-err through a global pointer to processor 12, but there are
//: expect-err missing_processor.sc:11
// The processor after the last one; every form of access and many numbers are in tests/processors.rs.
#include <split-c/split-c.h>
int x;

int splitc_main(void) {
    int *global g = toglobal(12, &x);
    *g = 1;
    return 0;
}
