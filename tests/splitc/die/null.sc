//: clause library 12
//: threads 1 3
//: mode dynamic
//: expect-err null global pointer
// An atomic operation through a null pointer.
#include <split-c/split-c.h>

int splitc_main(void) {
    fetch_and_add((int *global)0, 1);
    return 0;
}
