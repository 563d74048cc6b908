// A barrier among the statements of one processor.
// finds: 9: `barrier` is not reached by all threads
#include <split-c/split-c.h>
#include <stdio.h>

int splitc_main(void) {
    on_one {
        printf("%d processors\n", PROCS);
        barrier();
    }
    return 0;
}
