// The sanitizer for undefined behaviour reports no static shared arrays, of any layout, that the
// program's loops access by local pointers.
//: clause 6.5.1.1 p3
//: cc gcc
//: flags -fsanitize=undefined -fno-sanitize-recover=undefined
#include "../../check.h"

#define N 24
typedef struct {
    char tag;
    double weights[3];
} node_t;

shared [] int lone[N];
shared [] node_t nodes[N];
shared int cyclic[N * THREADS];
shared [4] short blocked[N * THREADS];
shared [*] double spread[N * THREADS];
shared [] long table[6][4];
shared [3] char rows[THREADS][3];
shared int one;

static shared [] int *at(int i) { return &lone[i]; }

int main(void) {
    if (MYTHREAD == 0) {
        for (int i = 0; i < N; i++)
            lone[i] = i;
        for (int i = N - 1; i >= 0; i--)
            nodes[i].weights[i % 3] = lone[i];
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 4; k++)
                table[i][k] = i * 10 + k;
        for (shared [] int *p = lone; p < lone + N; p++)
            *p += 1;
        one = *at(5);
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &cyclic[i])
        cyclic[i] = i;
    upc_forall (int i = 0; i < N * THREADS; i++; &blocked[i])
        blocked[i] = i;
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        cyclic[i] += 2;
    upc_forall (int i = 0; i < N * THREADS; i++; &spread[i])
        spread[i] = i;
    for (int k = 0; k < 3; k++)
        rows[MYTHREAD][k] = k;
    upc_barrier;
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += lone[i] + (long)nodes[i].weights[i % 3];
    for (int i = 0; i < N * THREADS; i++)
        sum += cyclic[i] + blocked[i] + (long)spread[i];
    for (int i = 0; i < 6; i++)
        sum += table[i][i % 4];
    for (int t = 0; t < THREADS; t++)
        sum += rows[t][2];
    long all = (long)N * THREADS * (N * THREADS - 1) / 2;
    CHECK_EQ(sum, N + N * (N - 1) + 3 * all + 2 * N * THREADS + 157 + 2 * THREADS);
    CHECK_EQ(one, 6);
    upc_barrier;
    return 0;
}
