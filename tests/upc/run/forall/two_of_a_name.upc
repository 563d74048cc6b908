// The body of a upc_forall declares a variable after an inner loop with a variable of the same name.
//: clause 6.6.2 p1
//: flags -O3
#include "../../check.h"

#include <upc_relaxed.h>

#define C 8
#define N (6 * THREADS)

shared int first[N];
shared[C] int row[N][C], other[N][C];

static int clip(int x) { return x >= 0 && x < 100 ? x : 1; }

static void pass(int n) {
    upc_forall(int i = 1; i < n - 1; i++; &first[i]) {
        int sum = i;
        for (int j = 2; j < C - 2; j += 2) {
            first[i] += clip(j + *(&row[i][0] + (C - 1 - j)));
            if (j != 4)
                *(&row[i][0] + (C - 1 - j)) = clip(*(other[i] + j) - sum);
        }
        int j = 3;
        *(&row[i][0] + (C - 1 - j)) = clip(sum - j);
    }
}

int main(void) {
    upc_forall(int i = 0; i < N; i++; i) {
        first[i] = i;
        for (int j = 0; j < C; j++) {
            row[i][j] = i + j;
            other[i][j] = 3 * i + j;
        }
    }
    upc_barrier;
    pass(N);
    upc_barrier;
    for (int i = 1; i < N - 1; i++) {
        CHECK_EQ(first[i], i + clip(2 + i + 5) + clip(4 + i + 3));
        CHECK_EQ(row[i][5], clip(3 * i + 2 - i));
        CHECK_EQ(row[i][3], i + 3);
        CHECK_EQ(row[i][4], clip(i - 3));
    }
    return 0;
}
