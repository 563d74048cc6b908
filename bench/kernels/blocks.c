/* The counterpart of blocks.ac: the example's puzzle and serial search; with MPI processes request partial
 * solutions from each other, with OpenMP these are tasks (stealing.h). */
#include "../c/parallel.h"
#define seconds blocks_seconds
#include "../../examples/ac/blocks.h"
#undef seconds

typedef struct partial item;

#define LEAST_SHARED 1
#define POLL 1
#include "stack.h"

/* Takes a partial solution: one of CUT pieces is completed here, a smaller one is replaced by its
 * extensions. */
static void expand(struct stack *s, struct tally *t) {
    struct partial p = s->items[--s->top];
    if (pieces_of(&p) >= CUT) {
        search(&p, t);
        return;
    }
    t->partials++;
    s->top += extend(&p, reserve(s, SHAPES));
}

static void add(struct tally *all, const struct tally *t) {
    all->packings += t->packings;
    all->partials += t->partials;
    all->digest += t->digest;
}

#include "stealing.h"

#include "blocks_rounds.h"

/* Returns the sum of all processes' digests modulo 2^64, by halves that doubles hold exactly. */
static unsigned long sum_of_digests(unsigned long digest) {
    double low = all_sum((double)(digest & 0xffffffffUL)), high = all_sum((double)(digest >> 32));
    return (unsigned long)low + ((unsigned long)high << 32);
}

int main(int argc, char **argv) {
    long rounds = rounds_of_class[parallel_begin(argc, argv, "SWA")];
    struct stack s = {0};
    struct tally t = {0};
    make_placements();
    all_wait();
    double begin = seconds();
    for (long round = 0; round < rounds; round++) {
        for (int number = 0; rank == 0 && number < ARRANGEMENTS; number++)
            s.top += place_rods(number, reserve(&s, 1));
        search_together(&s, &t);
    }
    all_wait();
    double took = seconds() - begin, partials = all_sum((double)t.partials);
    struct tally right = search_serially();
    double packings = all_sum((double)t.packings), times = (double)rounds;
    bool good = agrees("the number of packings", packings, (double)right.packings * times, 0);
    good &= agrees("the number of partial solutions", partials, (double)right.partials * times, 0);
    unsigned long digest = sum_of_digests(t.digest) - right.digest * (unsigned long)rounds;
    good &= agrees("the digest's error", (double)digest, 0, 0);
    return verdict("blocks", good, took, partials);
}
