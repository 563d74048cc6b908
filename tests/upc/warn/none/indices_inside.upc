// Subscripts that stay inside of their array by a condition, a jump or the caller have no message.
//: clause 6.5.2.1 p8
#include <upc.h>
#define N 100
#define B 4
shared int a[N * THREADS], b[THREADS], c[N * THREADS];
shared[B] int m[B * THREADS];
shared[N] double g[THREADS][N];
shared[] int l[N];
struct old {
    int length, last[1];
};
shared struct old o[THREADS];

static void right(void) { b[MYTHREAD + 1] = 1; }
static void left(void) { b[MYTHREAD - 1] = 1; }
static void jumps(int stop) {
    int i, j;
    for (i = 0; i <= N * THREADS; i++) {
        if (i == N * THREADS)
            break;
        a[i] = i;
    }
    for (i = 0; i <= N; i++) {
        if (stop)
            continue;
        if (i == N)
            return;
        l[i] = 0;
    }
    for (i = -1; i <= N; i++) {
        if (i < 0 || i >= N)
            continue;
        l[i] = 0;
    }
    for (i = 0; i < N; i++) {
        for (j = i; j < N; j++)
            if (l[j])
                break;
        if (j == N)
            break;
        l[j] = 2;
    }
}
static int downwards(void) {
    int i, sum = 0;
    unsigned u;
    for (i = N - 1; i >= 0; i--)
        sum += l[i];
    for (i = N; i-- > 0;)
        sum += l[i];
    for (u = N; u-- > 0;)
        sum += l[u];
    i = N;
    while (i--)
        sum += l[i];
    return sum;
}
static int conditions(void) {
    int i, sum = 0;
    for (i = 0; i <= N; i++) {
        if (i < N)
            sum++;
        sum += i < N ? l[i] : 0;
        sum += i < N && l[i];
    }
    for (i = 0; i < 10; i++)
        if (i < THREADS)
            b[i] = 0;
    for (i = 0; i < 10 && i < THREADS; i++)
        b[i] = 0;
    for (i = 0; i < 4; i++)
        b[i % THREADS] = 0;
    i = N;
    if (i >= N)
        i = 0;
    return sum + l[i];
}
int main(int argc, char **argv) {
    int i, j;
    for (i = 1; i <= N; i++)
        l[i - 1] = o[MYTHREAD].last[0];
    for (i = 0; i < N - 1; i++)
        l[i + 1] = l[i];
    for (shared[] int *p = &l[0]; p < &l[N]; p++)
        *p = 0;
    if (MYTHREAD < THREADS - 1)
        right();
    if (MYTHREAD > 0)
        left();
    if (MYTHREAD > 0)
        b[MYTHREAD - 1] = 1;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS)
        c[i] = i;
    for (i = 0; i < N; i++)
        a[i * THREADS + MYTHREAD] = i;
    for (i = MYTHREAD * N; i < (MYTHREAD + 1) * N; i++)
        a[i] = 0;
    upc_barrier;
    upc_forall(i = 1; i < N * THREADS - 1; i++; &a[i]) c[i] = a[i - 1] + a[i + 1];
    for (i = 0; i < B; i++)
        m[MYTHREAD * B + i] = i;
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < N; j++)
            g[i][j] = 0;
    for (i = 0; i < N * THREADS; i++)
        g[0][i] = 0;
    for (i = 0; i < THREADS; i++)
        b[(i + 1) % THREADS] = b[(i - 1 + THREADS) % THREADS];
    for (i = 0; i < 2 * N; i += 2)
        l[i / 2] = 0;
    for (i = 0; i < N;) {
        l[i] = 1;
        i += 1;
    }
    jumps(argc > 1);
    return argv[0] && downwards() + conditions();
}
