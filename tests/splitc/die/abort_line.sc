// abort is reported with the program's line, not the C library's, although the stack is shared memory.
//: flags -g -O1
//: threads 1 3
//: expect-err SIGABRT
//: expect-err in give_up,
//: expect-err abort_line.sc:9
#include <stdlib.h>
#include <split-c/split-c.h>
__attribute__((noinline)) static void give_up(void) { abort(); }
int splitc_main(void) {
    if (MYPROC == PROCS - 1)
        give_up();
    barrier();
    return 0;
}
