// A child of fork is no thread of the job: it may read its parent's own memory, but not that of other hosts.
//: threads 2 4
//: env MERIDIAN_REMOTE=1
//: exit 1
//: expect-err a child of fork accesses memory of other threads by message; only its parent can do so
#include <sys/wait.h>
#include <unistd.h>
#include <upc_relaxed.h>
shared int a[THREADS];
int main(void) {
    int status = 0;
    a[MYTHREAD] = 5;
    upc_barrier;
    pid_t child = fork();
    if (child == 0)
        _exit(a[MYTHREAD] == 5 ? 7 : 8);
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 7)
        return 9;
    child = fork();
    if (child == 0)
        _exit(a[(MYTHREAD + 1) % THREADS] == 5 ? 0 : 8); /* threads of one host may */
    waitpid(child, &status, 0);
    upc_barrier;
    return WEXITSTATUS(status);
}
