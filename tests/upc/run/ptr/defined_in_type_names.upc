/* Type names of casts and sizes that define a struct. */
#include <upc.h>
#include "../../check.h"

shared int words[4 * THREADS];
shared [2] int pairs[2 * THREADS];

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    CHECK_EQ(sizeof(shared struct { int a, b; }), 8);
    CHECK_EQ(_Alignof(shared struct { double d; char c; }), 8);
    size_t n = upc_localsizeof(shared struct three { char c[3]; });
    CHECK_EQ(n, sizeof(struct three));
    for (int i = 0; i < 2; i++) {
        ((shared struct { int a, b; } *)&pairs[2 * right])->b = right + i;
        CHECK_EQ(((shared struct pair { int a, b; } *)&pairs[2 * right])->b, right + i);
        ((struct { int a; } *)&words[MYTHREAD])->a = MYTHREAD;
    }
    upc_barrier;
    CHECK_EQ(words[right], right);
    CHECK_EQ(pairs[2 * MYTHREAD + 1], MYTHREAD + 1);
    return 0;
}
