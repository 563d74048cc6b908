// Loops that become loops over own elements and requests in advance, in which variables of the program are
// replaced: the C compiler warns of none of them.
//: clause 6.6.2 p1
//: flags -O2 -Wall -Wextra -Werror
#include "../../check.h"

#define N (100 * THREADS)
shared long other[N], table[N];
shared int from[N], place[N];

int main(void) {
    upc_forall(int i = 0; i < N; i++; &from[i]) {
        from[i] = 3 * i;
        place[i] = N - 1 - i;
    }
    upc_barrier;
    upc_forall(int i = 0; i < N - 1; i++; i) other[i + 1] = from[i];
    upc_forall(int i = 0; i < N; i++; i) {
        int p = place[i];
        table[p] = from[i];
    }
    upc_barrier;
    long sum = 0, all = 0;
    upc_forall(int i = 0; i < N; i++; i) {
        int p = place[i];
        sum += table[p] + 0 * other[place[i]];
    }
    for (int i = 0; i < N; i++) {
        int p = place[i];
        all += table[p];
    }
    CHECK_EQ(all, 3L * (N - 1) * N / 2);
    CHECK(sum <= all);
    for (int i = 1; i < N; i++)
        CHECK_EQ(other[i], 3 * (i - 1));
    upc_barrier;
    return 0;
}
