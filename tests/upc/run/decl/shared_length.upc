// Lengths of parameters' arrays that are read from shared memory, on this thread and on others.
//: clause 6.5.1.1 p9
//: clause 6.4.2 p3
#include "../../check.h"

shared int width[THREADS];
strict shared long depth;
shared struct {
    short skipped, length;
} sizes[THREADS];
shared int *shared chosen;

static int plain(int n, int m[n][width[THREADS - 1]]) { return sizeof m[0]; }
static int of_strict(char m[][depth]) { return sizeof *m; }
static int of_member(int t, double (*m)[sizes[t].length + 1]) { return sizeof *m; }
static int through_pointer(shared int *p, int m[][*p][*chosen]) { return sizeof m[0]; }
int declared(int n, int m[n][width[0]]);
static int old(n, m) int n;
int m[][width[n]];
{
    return sizeof m[0];
}
static int of_parameter(shared[] int *p, int i, int m[][p[i]]) { return sizeof m[0]; }

int main(void) {
    if (MYTHREAD == THREADS - 1) {
        for (int t = 0; t < THREADS; t++) {
            width[t] = 3 + t;
            sizes[t].length = 10 + t;
        }
        depth = 9;
        chosen = &width[0];
    }
    upc_barrier;
    int a[2][2 + THREADS], b[2][3];
    CHECK(plain(2, a) == (int)sizeof a[0]);
    CHECK(of_strict((void *)a) == 9);
    for (int t = 0; t < THREADS; t++)
        CHECK(of_member(t, NULL) == (11 + t) * (int)sizeof(double));
    CHECK(through_pointer(&width[THREADS - 1], NULL) == (2 + THREADS) * 3 * (int)sizeof(int));
    CHECK(old(0, b) == 3 * (int)sizeof(int));
    shared[] int *p = upc_alloc(2 * sizeof(int));
    p[0] = 5, p[1] = 6;
    CHECK(of_parameter(p, 1, NULL) == 6 * (int)sizeof(int));
    upc_free(p);
    return 0;
}
