// Integer affinities: every iteration runs on exactly the thread that the value modulo THREADS names.
//: clause 6.6.2 p2
//: clause 6.6.2 p3
//: clause 6.6.2 p6
//: clause 6.6.2 p8
#include "../../check.h"

#define N 100
shared int runs[N * THREADS];
static int executed[3 * N];

static void expect(int from, int to, int step, int (*who)(int)) {
    for (int i = from; step > 0 ? i < to : i > to; i += step)
        CHECK_EQ(executed[i], who(i) % THREADS == MYTHREAD);
    for (int i = 0; i < 3 * N; i++)
        executed[i] = 0;
}
static int same(int i) { return i; }
static int plus3(int i) { return i + 3; }
static int third(int i) { return i / 3; }
static int constant(int i) { return 7; }
static int square(int i) { return i * i; }

int main(void) {
    int i;
    upc_forall(i = 0; i < N; i++; i) executed[i]++;
    CHECK_EQ(i, N);
    expect(0, N, 1, same);
    upc_forall(i = 0; i < N; ++i; i + 3) { executed[i]++; }
    expect(0, N, 1, plus3);
    upc_forall(i = N; i < 2 * N + 1; i += 1; i / 3) executed[i]++;
    CHECK_EQ(i, 2 * N + 1);
    expect(N, 2 * N + 1, 1, third);
    upc_forall(i = N - 1; i >= 0; i--; i) executed[i]++;
    CHECK_EQ(i, -1);
    expect(N - 1, -1, -1, same);
    upc_forall(i = 2; i < N; i += 7; i) executed[i]++;
    CHECK_EQ(i, 2 + 14 * 7);
    expect(2, N, 7, same);
    upc_forall(i = 98; i > 3; i -= 5; i) executed[i]++;
    expect(98, 3, -5, same);
    upc_forall(i = 0; i < N; i++; 7) executed[i]++;
    expect(0, N, 1, constant);
    upc_forall(i = 0; i < N; i++; i * i) executed[i]++;
    expect(0, N, 1, square);
    upc_forall(i = 0; i < N; i++; MYTHREAD) executed[i]++;
    for (i = 0; i < N; i++)
        CHECK_EQ(executed[i], 1);
    upc_forall(i = 5; i < 5; i++; i) CHECK(0);
    CHECK_EQ(i, 5);
    upc_forall(i = 1; i <= N; i++; (i - 1)) runs[i - 1]++;
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK_EQ(runs[i], 1);
    return 0;
}
