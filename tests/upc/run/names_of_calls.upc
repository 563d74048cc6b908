//: layout 1 2
/* Objects of the program with the names of the C library's system calls, as of message buffers. */
#include <string.h>
#include <upc.h>
#include "../check.h"

double send[64] = {1}, recv[64];
int open[4] = {1, 2, 3, 4}, close = 3, read = 4, write[5], access, kill, listen[100];
int pipe, bind, shutdown, sleep;
struct { int a, b; } stat = {5, 6};
int *connect, poll, socket, unlink, usleep, getpid, dup2, fstat, fsync, pread, pwrite, readlink, chdir;
shared int fork[THREADS];          /* the philosophers' forks */

int main() {
    fork[MYTHREAD] = MYTHREAD + read;
    upc_barrier;
    upc_memget(recv, &fork[(MYTHREAD + 1) % THREADS], sizeof(int));
    int other;
    memcpy(&other, recv, sizeof other);
    CHECK_EQ(other, (MYTHREAD + 1) % THREADS + 4);
    CHECK_EQ(fork[(MYTHREAD + 1) % THREADS], other);
    upc_barrier;
    CHECK_EQ(open[0] + open[1] + open[2] + open[3], 10);
    CHECK_EQ(close, 3);
    CHECK_EQ(stat.a + stat.b, 11);
    CHECK_EQ((int)send[0], 1);
    CHECK(!connect && !poll && !kill && !listen[99] && !write[4]);
    return 0;
}
