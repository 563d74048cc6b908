/* uts beside uts.upc: with MPI processes ask each other for work, with OpenMP they are tasks (stealing.h). */
#include "../c/parallel.h"
#include "uts.h"

#define POLL 64
#include "stealing.h"

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    struct stack s = {0};
    struct tally t = {0}, right = {0};
    chance = classes[class].chance;
    if (rank == 0)
        begin_search(class, &s);
    all_wait();
    double begin = seconds();
    search_together(&s, &t);
    all_wait();
    double took = seconds() - begin, nodes = all_sum((double)t.nodes);
    if (rank == 0)
        right = search_alone(class);
    bool good = agrees("the number of nodes", nodes, all_sum((double)right.nodes), 0);
    good &= agrees("the number of leaves", all_sum((double)t.leaves), all_sum((double)right.leaves), 0);
    good &= agrees("the sum of depths", all_sum((double)t.depths), all_sum((double)right.depths), 0);
    good &= agrees("the digest", all_sum((double)t.digest), all_sum((double)right.digest), 0);
    return verdict("uts", good, took, nodes);
}
