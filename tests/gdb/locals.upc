// Meridian's own variables are not among the locals of `info locals' and `bt full'.
#include <stdio.h>
#include <upc.h>

shared int a[10 * THREADS];

static void look(shared int *p) {
    int local = 3;
    if (MYTHREAD == 0)
        a[2] = *p + local; // LINE look
    printf("%d\n", local);
}

int main(void) {
    a[1] = 7;
    look(&a[1]);
    return 0;
}

//> break {file}:{look}
//> run
//> info locals
//= local = 3
//> python print("of Meridian's own" if "mer_" in gdb.execute("bt full", to_string=True) else "the user's alone")
//= the user's alone
//> disable frame-filter global meridian
//> python print("of Meridian's own" if "mer_" in gdb.execute("bt full", to_string=True) else "the user's alone")
//= of Meridian's own
//> continue
//= exited normally
