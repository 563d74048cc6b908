/* Signal handlers beside shared data: an alarm ticks while threads compute, and each signals itself. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <upc.h>

static volatile sig_atomic_t ticks, own;
shared int seen[THREADS];
shared[] long work[64];

static void on_alarm(int signal) {
    int kept = errno;
    ticks++;
    (void)signal;
    errno = kept;
}
static void on_user(int signal) { own += signal == SIGUSR1; }

int main(void) {
    struct sigaction action;
    struct itimerval every = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &every, NULL))
        return 2;
    signal(SIGUSR1, on_user);
    upc_barrier;
    /* Barriers, remote reads and collective allocation go on while signals arrive. */
    long sum = 0;
    for (int round = 0; ticks < 5 || round < 20; round++) {
        if (MYTHREAD == 0)
            work[round % 64] = round;
        sum += work[(round + 63) % 64];
        if (round % 4 == 0 && round < 20)
            upc_barrier round;
    }
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    while (own < 2)
        ;
    setitimer(ITIMER_REAL, &never, NULL);
    seen[MYTHREAD] = own;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        if (seen[t] != 2) {
            printf("thread %d: %d of thread %d, %ld\n", MYTHREAD, seen[t], t, sum);
            return 1;
        }
    return 0;
}
