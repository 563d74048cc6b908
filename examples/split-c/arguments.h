/* The command-line arguments of the programs of this directory: whole numbers between bounds, each
 * with a default value. A bad one is reported once, by processor 0, and ends the program on all
 * processors. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

struct argument {
    const char *name;
    long value; /* its default, then the given value */
    long least, most;
};

/* Ends the program on all processors; every processor calls it. */
static void refuse(const char *program, const struct argument *list, int n) {
    int i;
    on_one {
        fprintf(stderr, "usage: %s", program);
        for (i = 0; i < n; i++)
            fprintf(stderr, " [%s", list[i].name);
        for (i = 0; i < n; i++)
            fprintf(stderr, "]");
        fprintf(stderr, "\n");
    }
    barrier();
    exit(2);
}

/* Puts the command line's numbers into list[0] ... list[n - 1].  Every processor calls it. */
static void read_arguments(int argc, char **argv, struct argument *list, int n) {
    int i;
    for (i = 1; i < argc; i++) {
        char *end = argv[i];
        long value = strtol(argv[i], &end, 10);
        if (i > n) {
            on_one fprintf(stderr, "%s: one argument too many: %s\n", argv[0], argv[i]);
            refuse(argv[0], list, n);
        }
        if (end == argv[i] || *end || value < list[i - 1].least || value > list[i - 1].most) {
            on_one fprintf(stderr, "%s: %s is a whole number from %ld to %ld, not %s\n", argv[0],
                           list[i - 1].name, list[i - 1].least, list[i - 1].most, argv[i]);
            refuse(argv[0], list, n);
        }
        list[i - 1].value = value;
    }
}

/* A pseudo-random number that depends on (seed, i) alone, so that every processor can make any part of the
 * same input (the finaliser of splitmix64). */
static inline unsigned long scramble(unsigned long seed, unsigned long i) {
    unsigned long x = (seed * 0x632be59bd9b4e019UL + i + 1) * 0x9e3779b97f4a7c15UL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
    return x ^ x >> 31;
}

#endif
