/* One program in three dialects and C: UPC allocates, Split-C stores into it with `:-', AC walks over it with
 * dist pointers, and this file, plain C, calls all three.
 *
 *     meridian cc -O2 -o three main.c allocate.upc fill.sc walk.ac
 *     meridian run -n 4 three
 *
 * C has no type of pointers to other processors' memory, but it can hold such a pointer (mer_ptr) and, with
 * Split-C's library, follow it: the functions are the same as in Split-C. */
#define NUMBERS_FOR_C
#include "numbers.h"
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

/* An element, read by C: the numbers lie as spread memory, element i on processor i % PROCS. */
static int element(numbers p, int i) {
    int value, *here = local_address(p, i);
    bulk_read(&value, toglobal(i % PROCS, here), sizeof value);
    return value;
}

int main(int argc, char **argv) {
    long n = 1000;
    char *end = "";
    if (argc > 1)
        n = strtol(argv[1], &end, 10);
    if (argc > 2 || *end || n < 1 || n > 100000000) {
        if (MYPROC == 0)
            fprintf(stderr, "usage: %s [n]      n: how many numbers, 1 to 100000000\n", argv[0]);
        return 2;
    }
    numbers p = allocate((int)n);
    if (p.bits == 0)
        return 1;
    fill(p, (int)n);
    long sum = walk(p, (int)n), right = 0, wrong = 0;
    for (int i = 0; i < n; i++)
        right += 3 * i + 7;
    for (int i = 0; i < n; i += 1 + (int)n / 100)
        wrong += element(p, i) != 3 * i + 7;
    wrong = all_reduce_to_all_ladd(wrong + (sum != right));
    if (MYPROC == 0)
        printf("%ld numbers: UPC allocates, Split-C stores, AC walks, C reads; the sum is %ld, %s\n", n, sum,
               wrong ? "which is wrong" : "ok");
    release(p);
    return wrong != 0;
}
