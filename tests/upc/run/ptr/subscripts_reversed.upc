// `i[a]` is `a[i]`: for arrays within shared structs too, in reads, writes, addresses, static initialisers,
// and loops that the optimiser rewrites.
//: clause 6.5.1.1 p6
#include "../../check.h"

struct inner { short b[2][3]; };
struct record { int a[4]; struct inner in[2]; };
shared struct record one, many[3 * THREADS];
shared[2] struct record pairs[2 * THREADS];
shared[4] int blocks[2 * THREADS][4];
shared[] int row[5];
shared[] int *fixed = &3[row];

static int sum(shared[] int *p, int n) {
    int s = 0;
    while (n--)
        s += n[p];
    return s;
}

int main(void) {
    int i = 1;
    if (MYTHREAD == 0) {
        2 [one.a] = 5;
        1 [(1 [one.in]).b][i] = 6;
        i[i[(0 [one.in]).b]]++;
        for (int k = 0; k < 5; k++)
            k[row] = k * k;
    }
    upc_forall (int k = 0; k < 3 * THREADS; k++; &k[many]) {
        for (int j = 0; j < 4; j++)
            j[k[many].a] = k + j;
        (k[many].in + 1)->b[0][2] = k;
    }
    upc_forall (int k = 0; k < 2 * THREADS; k++; &pairs[k]) {
        shared[] int *p = (shared[] int *)&0 [pairs[k].a];
        for (int j = 0; j < 4; j++)
            j[p] = 10 * k;
    }
    upc_forall (int k = 0; k < 2 * THREADS; k++; &0 [k[blocks]])
        for (int j = 0; j < 4; j++)
            j[k[blocks]] = 4 * k + j;
    upc_barrier;
    CHECK(1 [1 [blocks]] == 5 && 3 [blocks[1]] == 7 && &2 [1 [blocks]] == &blocks[1][2]);
    CHECK(one.a[2] == 5 && one.in[1].b[1][1] == 6 && one.in[0].b[1][1] == 1);
    CHECK(*fixed == 9 && sum(row, 5) == 30);
    for (int k = 0; k < 3 * THREADS; k++)
        CHECK(3 [k[many].a] == k + 3 && many[k].in[1].b[0][2] == k && 2 [0 [many[k].in[1].b]] == k);
    for (int k = 0; k < 2 * THREADS; k++)
        CHECK_EQ(2 [k[pairs].a], 10 * k);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        1 [one.a] += 2 [one.a] -= 3;
    upc_barrier;
    CHECK(one.a[1] == 2 && one.a[2] == 2);
    return 0;
}
