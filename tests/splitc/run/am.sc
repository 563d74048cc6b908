/* Active messages in a Split-C file. */
#include <split-c/split-c.h>
#include <meridian/am.h>

#include "../check.h"

static int add, sum, came;
static void on_add(struct mer_am_message *m) {
    sum += (int)m->args[0];
    came++;
}

int splitc_main(int argc, char **argv) {
    (void)argc, (void)argv;
    add = mer_am_register(on_add);
    barrier();
    for (int p = 0; p < PROCS; p++)
        MER_AM_REQUEST(p, add, MYPROC + 1);
    MER_AM_WAIT_UNTIL(came == PROCS)
    CHECK(sum == PROCS * (PROCS + 1) / 2);
    int *global g = toglobal((MYPROC + 1) % PROCS, &sum);
    barrier();
    CHECK(*g == sum);
    barrier();
    return 0;
}
