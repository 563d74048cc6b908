//: layout 1 2
/* Functions of the program with the names of the C library's system calls: they are the program's, and the
 * runtime, which reads, sends and waits while they exist, calls none of them. */
#include <split-c/split-c.h>
#include <stdio.h>
#include "../check.h"

static int expected;
#define OWN(name)                                                                                            \
    int name(int x, int y) {                                                                                 \
        if (!expected) {                                                                                     \
            printf("the runtime has called " #name "\n");                                                    \
            exit(9);                                                                                         \
        }                                                                                                    \
        return 2 * x - y;                                                                                    \
    }
/* clang-format off */
#define NAMES(X) \
    X(access) X(bind) X(chdir) X(close) X(connect) X(dup2) X(fork) X(fstat) X(fsync) X(getpid) X(kill) \
    X(listen) X(open) X(pipe) X(poll) X(pread) X(pwrite) X(read) X(readlink) X(recv) X(send) X(shutdown) \
    X(sleep) X(socket) X(stat) X(unlink) X(usleep) X(write)
/* clang-format on */
NAMES(OWN)
#define TEST(name) CHECK(name(5, 3) == 7);

int values[PROCS]::, got[PROCS]::[100];

int splitc_main(int argc, char **argv) {
    int i, v, own[100];
    values[MYPROC] = 10 * MYPROC;
    barrier();
    expected = 1;
    NAMES(TEST)
    expected = 0;
    v := values[(MYPROC + 1) % PROCS];
    sync();
    CHECK(v == 10 * ((MYPROC + 1) % PROCS));
    for (i = 0; i < 100; i++)
        own[i] = MYPROC + i;
    bulk_store(got[(MYPROC + 1) % PROCS], own, sizeof own);
    all_store_sync();
    CHECK(got[MYPROC][99] == (MYPROC + PROCS - 1) % PROCS + 99);
    CHECK(all_reduce_to_all_add(1) == PROCS);
    return 0;
}
