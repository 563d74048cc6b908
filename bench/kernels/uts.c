/* The counterpart of uts.upc: with MPI processes request work from each other, with OpenMP they are tasks
 * (stealing.h). */
#include "../c/parallel.h"
#include "uts.h"

#define POLL 64
#include "stealing.h"

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    struct stack s = {0};
    struct tally t = {0}, right = {0};
    begin_search(class, rank == 0, &s);
    all_wait();
    double begin = seconds();
    search_together(&s, &t);
    all_wait();
    double took = seconds() - begin, nodes;
    if (rank == 0)
        right = search_alone(class);
    bool good = verify(&t, &right, &nodes);
    return verdict("uts", good, took, nodes);
}
