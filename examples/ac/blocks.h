/* Blocks-in-a-box (Conway; Winning Ways, volume 2): pack thirteen 1 x 2 x 4 blocks, one 2 x 2 x 2, one 1 x 2
 * x 2 and three 1 x 1 x 3 rods into a box of 5 x 5 x 5. This file, plain C, has the common part of both
 * programs: the puzzle, its partial solutions, and the serial search.
 *
 * Each of the 15 layers of the box, five in each direction, has 25 cells, an odd number. All pieces except
 * the rods cover an even number in every layer, so the rods have to cover an odd number in each. A rod does
 * so in the three layers that it crosses and in the two that it lies in, five in all; three rods therefore
 * suffice only if no layer is served twice: one rod in each direction, and along each axis the two other rods
 * lie in the two layers that the rod along it leaves. So there are 216 ways to place the rods, with which the
 * search begins. From there on, the first free cell is filled in every possible way.
 *
 * A partial solution is five words. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIDE 5
#define CELLS (SIDE * SIDE * SIDE)
#define SHAPES 10 /* of the pieces other than rods, in all orientations */
#define PIECES 15 /* other than rods */
#define ARRANGEMENTS 216

struct partial {
    unsigned long low, high; /* the filled cells, by number x + 5 y + 25 z: the first 64, and the rest */
    unsigned long left;      /* pieces left: a byte each for blocks, cubes and squares */
    unsigned long choices;   /* four bits for each piece so far: its number among the ways to fill the cell */
    unsigned long rods;      /* the arrangement of rods with which it began */
};

/* The results of a search. The digest does not depend on the order in which packings are found. */
struct tally {
    long packings, partials;
    unsigned long digest;
};

/* A piece in the box. */
struct placement {
    unsigned long low, high;
    unsigned long one, all; /* its piece's place in `left': 1, and all bits */
};

/* The placements whose first cell is this one. */
static struct placement placements[CELLS][SHAPES];
static int ways[CELLS];

/* ---- the puzzle ------------------------------------------------------------------------------------- */

/* Adds the cells of a piece of a x b x c at (x, y, z). Returns 0 if it does not fit into the box. */
static int add_cells(unsigned long *low, unsigned long *high, const int at[3], const int size[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] + size[axis] > SIDE)
            return 0;
    for (int z = at[2]; z < at[2] + size[2]; z++)
        for (int y = at[1]; y < at[1] + size[1]; y++)
            for (int x = at[0]; x < at[0] + size[0]; x++) {
                int cell = x + SIDE * y + SIDE * SIDE * z;
                *(cell < 64 ? low : high) |= 1UL << cell % 64;
            }
    return 1;
}

static void make_placements(void) {
    static const struct {
        int size[3], piece;
    } shapes[SHAPES] = {{{1, 2, 4}, 0}, {{1, 4, 2}, 0}, {{2, 1, 4}, 0}, {{2, 4, 1}, 0}, {{4, 1, 2}, 0},
                        {{4, 2, 1}, 0}, {{2, 2, 2}, 1}, {{1, 2, 2}, 2}, {{2, 1, 2}, 2}, {{2, 2, 1}, 2}};
    for (int cell = 0; cell < CELLS; cell++) {
        const int at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
        ways[cell] = 0;
        for (int shape = 0; shape < SHAPES; shape++) {
            struct placement p = {0, 0, 1UL << 8 * shapes[shape].piece, 0xffUL << 8 * shapes[shape].piece};
            if (add_cells(&p.low, &p.high, at, shapes[shape].size))
                placements[cell][ways[cell]++] = p;
        }
    }
}

/* Makes the box with the rods in arrangement `number' of ARRANGEMENTS. Returns 0 if they would overlap. */
static int place_rods(int number, struct partial *p) {
    static const int others[3][2] = {
        {3, 4}, {0, 4}, {0, 1}}; /* the layers that a rod from 0, 1, 2 on leaves */
    int at[3][3], rest = number; /* rod (by direction), axis */
    for (int axis = 0; axis < 3; axis++, rest /= 6) {
        int begin = rest % 3, swap = rest / 3 % 2;
        at[axis][axis] = begin;
        at[(axis + 1) % 3][axis] = others[begin][swap];
        at[(axis + 2) % 3][axis] = others[begin][1 - swap];
    }
    struct partial box = {0, 0, 13 | 1 << 8 | 1 << 16, 0, (unsigned long)number};
    for (int rod = 0; rod < 3; rod++) {
        unsigned long low = 0, high = 0;
        int size[3] = {1, 1, 1};
        size[rod] = 3;
        if (!add_cells(&low, &high, at[rod], size) || (low & box.low) || (high & box.high))
            return 0;
        box.low |= low, box.high |= high;
    }
    *p = box;
    return 1;
}

/* ---- the search ------------------------------------------------------------------------------------- */

/* Returns the number of pieces, except rods, that a partial solution has placed. */
static inline int pieces_of(const struct partial *p) {
    return PIECES - (int)((p->left & 0xff) + (p->left >> 8 & 0xff) + (p->left >> 16 & 0xff));
}

static inline int first_free(const struct partial *p) {
    return ~p->low ? __builtin_ctzl(~p->low) : 64 + __builtin_ctzl(~p->high);
}

/* The partial solutions with one piece more: at most SHAPES, put into `next'.  p is not complete. */
static int extend(const struct partial *p, struct partial *next) {
    int cell = first_free(p), n = 0;
    for (int way = 0; way < ways[cell]; way++) {
        const struct placement *q = &placements[cell][way];
        if ((p->left & q->all) && !(p->low & q->low) && !(p->high & q->high)) {
            struct partial more = {p->low | q->low, p->high | q->high, p->left - q->one,
                                   p->choices << 4 | (unsigned)way, p->rods};
            next[n++] = more;
        }
    }
    return n;
}

static unsigned long mixed(unsigned long x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
    return x ^ x >> 31;
}

/* Counts p and all its extensions. */
static void search(const struct partial *p, struct tally *t) {
    struct partial next[SHAPES];
    t->partials++;
    if (p->left == 0) {
        t->packings++;
        t->digest += mixed(p->choices + mixed(p->rods + 1));
        return;
    }
    for (int n = extend(p, next); n-- > 0;)
        search(&next[n], t);
}

/* The whole search, by one processor. */
static struct tally search_serially(void) {
    struct tally t = {0, 0, 0};
    struct partial p;
    for (int number = 0; number < ARRANGEMENTS; number++)
        if (place_rods(number, &p))
            search(&p, &t);
    return t;
}

/* ---- the program around it -------------------------------------------------------------------------- */

/* Partial solutions with fewer pieces are passed on singly; one processor finishes those of this
 * size. */
#define CUT 5

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns the number of searches from the command line, or 0 if processor 0 has refused it. */
static long rounds_wanted(int argc, char **argv, int processor) {
    char *end = NULL;
    long rounds = argc > 1 ? strtol(argv[1], &end, 10) : 1;
    if (argc > 2 || rounds < 1 || rounds > 1000000 || (end && *end)) {
        if (processor == 0)
            fprintf(stderr, "usage: %s [rounds]      rounds: how often to search, 1 to 1000000\n", argv[0]);
        return 0;
    }
    return rounds;
}

/* Processor 0: compares the results of `processors' in `rounds' searches, in `took' seconds, with the
 * serial search. */
static int report(const char *how, struct tally found, long rounds, int processors, double took) {
    double begin = seconds();
    struct tally right = search_serially();
    double serially = seconds() - begin;
    int good = found.packings == right.packings * rounds && found.partials == right.partials * rounds &&
               found.digest == right.digest * (unsigned long)rounds;
    printf("blocks in a box, %s: %ld packings among %ld partial solutions, ", how, found.packings / rounds,
           found.partials / rounds);
    if (good)
        printf("ok\n");
    else
        printf("but there are %ld among %ld\n", right.packings, right.partials);
    printf("time %.6f s a search on %d processors, %.6f s on one\n", took / (double)rounds, processors,
           serially);
    return good;
}

#endif
