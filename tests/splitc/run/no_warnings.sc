// Global pointers to memory of malloc, and to objects not yet written: the C compiler warns of none of
// them.
//: flags -O0 -Wall -Wextra -Werror
#include "../check.h"

#include <split-c/split-c.h>
#include <stdlib.h>

static int *global kept;

void splitc_main() {
    int few[4], one;
    int *global a = (int *global)malloc(sizeof(int));
    int *global b = toglobal(MYPROC, few);
    kept = toglobal(MYPROC, malloc(sizeof(int)));
    *(int *global)&one = 5;
    *a = one + MYPROC;
    *kept = *a + 1;
    b[3] = *kept + 1;
    barrier();
    CHECK(few[3] == 7 + MYPROC);
    CHECK(*(int *)a == 5 + MYPROC);
}
