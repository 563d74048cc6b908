// A job whose endpoints strangers call: `crowded DIRECTORY [starve]'.
//
// Each thread prints its process number, and waits for DIRECTORY/go, which exists when the strangers are
// there. Then all compute, each with elements of every other thread, until DIRECTORY/stop exists. With
// `starve' they have met before, and take all available descriptors.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

#define N 100

shared[N] unsigned sums[N * THREADS];
shared int stop;

static int is_there(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

/* Adds to every thread's elements. Returns the number of rounds, at least one. */
static unsigned compute(const char *directory) {
    unsigned rounds = 0;
    do {
        for (int t = 0; t < THREADS; t++)
            sums[t * N + MYTHREAD] += (unsigned)t + 1;
        rounds++;
        if (MYTHREAD == 0 && rounds % 16 == 0)
            stop = is_there(directory, "stop");
        upc_barrier;
        if (rounds % 16 == 0 && stop)
            break;
        upc_barrier;
    } while (directory);
    return rounds;
}

int main(int argc, char **argv) {
    const char *directory = argv[1];
    unsigned rounds = 0;
    if (argc > 2) {
        rounds = compute(NULL);
        while (open("/dev/null", O_RDONLY) >= 0)
            continue;
        if (errno != EMFILE)
            return 3;
    }
    printf("process %d\n", (int)getpid());
    fflush(stdout);
    while (!is_there(directory, "go"))
        usleep(10000);
    rounds += compute(directory);
    for (int t = 0; t < THREADS; t++)
        if (sums[MYTHREAD * N + t] != rounds * (unsigned)(MYTHREAD + 1)) {
            printf("thread %d: %u from thread %d after %u rounds\n", MYTHREAD, sums[MYTHREAD * N + t], t, rounds);
            return 4;
        }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("right\n");
    return 0;
}
