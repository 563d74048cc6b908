// A private array for the own iterations is indexed by a counter: the C compiler does not see that all
// iterations, which run only inside another upc_forall, go beyond it.
//: mode static
//: static 2 4 8
//: cc gcc
//: flags -O3 -Wall -Werror=aggressive-loop-optimizations -Werror=array-bounds -Werror=stringop-overflow
#include <upc_relaxed.h>

#include "../../check.h"

#define OWN 32

shared double a[OWN * THREADS];
shared [4] char b[4 * THREADS];

int main(void) {
    double mine[OWN];
    char few[4];
    int i, k = 0;
    upc_forall (i = 0; i < OWN * THREADS; i++; &a[i])
        mine[k++] = i;
    k = 0;
    upc_forall (i = 0; i < OWN * THREADS; i++; &a[i])
        a[i] = 2 * mine[k++];
    k = 0;
    upc_forall (i = 0; i < 4 * THREADS; i++; &b[i])
        few[k++] = (char)i;
    k = 0;
    upc_forall (i = 0; i < 4 * THREADS; i++; &b[i])
        b[i] = few[k++];
    upc_barrier;
    for (i = 0; i < OWN * THREADS; i++)
        CHECK_EQ(a[i], 2 * i);
    for (i = 0; i < 4 * THREADS; i++)
        CHECK_EQ(b[i], i);
    return 0;
}
