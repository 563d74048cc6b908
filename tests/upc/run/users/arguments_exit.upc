/* main with arguments, options by getopt, a usage message, and the exit status that thread 0 decides. */
//: args -n 40 -v seven 7
//: exit 7
//: expect-out 40 words: seven
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

static shared int options[THREADS][2];
shared int wanted_status;

static void usage(const char *name) {
    fprintf(stderr, "usage: %s [-n count] [-v] word status\n", name);
    upc_global_exit(2);
}

int main(int argc, char **argv) {
    int c, n = 1, verbose = 0;
    while ((c = getopt(argc, argv, "n:v")) != -1)
        switch (c) {
        case 'n':
            n = atoi(optarg);
            break;
        case 'v':
            verbose++;
            break;
        default:
            usage(argv[0]);
        }
    if (argc - optind != 2 || argv[argc] != NULL)
        usage(argv[0]);
    options[MYTHREAD][0] = n;
    options[MYTHREAD][1] = verbose;
    if (MYTHREAD == THREADS - 1)
        wanted_status = atoi(argv[optind + 1]);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        if (options[t][0] != 40 || options[t][1] != 1)
            return 1;
    if (verbose && MYTHREAD == 0)
        printf("%d words: %s\n", n, argv[optind]);
    return wanted_status;
}
