/* while loops that count. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 900
shared [N] int row[THREADS][N];
shared int cyc[N * THREADS];
shared long total;
int own[N + 8];

static long sums(int t, int n) {
    long s = 0;
    int j = 0;
    while (j < n) { //> while: by j
        s += row[t][j];
        j++;
    }
    s = s * 3 + j;
    while (j > 0) { //> while: by j
        int k = j - 1;
        if (k % 5 == 0)
            s ^= row[t][k];
        s += cyc[k];
        j -= 1;
    }
    while (n > j) { //> while: by j
        int i = 0;
        while (i < 3) { //> while: by i
            s = s * 7 + cyc[(j + i) % N];
            ++i;
        }
        j = j + 1;
    }
    return s + j;
}

static void writes(int n) {
    int i = MYTHREAD;
    while (i < n * THREADS) { //> while: by i
        cyc[i] = i % 31;
        i += THREADS;
    }
    i = 0;
    while (i < n) { //> while: by i
        row[MYTHREAD][i] = own[i] + cyc[i * THREADS + MYTHREAD];
        if (own[i] == 77)
            break;
        i++;
    }
}

/* What continues, has another last statement, steps by what it declares, or has nothing shared. */
static long others(int n) {
    long s = 0;
    int i = 0;
    while (i < n) {
        if (i % 3 == 0) {
            i += 2;
            continue;
        }
        s += cyc[i];
        i++;
    }
    i = 0;
    while (i < n) {
        i++;
        s += cyc[i % N];
    }
    i = 0;
    while (i < n) {
        int by = 1 + i % 2;
        s += cyc[i];
        i += by;
    }
    i = 0;
    while (i < n) {
        s += own[i];
        i++;
    }
    i = n;
    while (s > 0) {
        s -= 100000 + cyc[i % N];
        i++;
    }
    i = 0;
    while (i < n) { //> while: by i
        int k = 0;
        do
            s += k * cyc[i];
        while (++k < 3);
        for (k = 0; k < 2; k++) s += row[k % THREADS][i];
        i++;
    }
    goto in;
    while (i < 2 * n) { //> while: by i
    in:
        s += cyc[i % N];
        i++;
    }
    return s + i;
}

int main(void) {
    for (int i = 0; i < N + 8; i++)
        own[i] = i * 17 % 101 + (i < N - 10 ? 0 : 200);
    writes(N);
    upc_barrier;
    if (MYTHREAD == 0)
        total = 5;
    upc_barrier;
    printf("%d %ld %ld %ld\n", MYTHREAD, sums((MYTHREAD + 1) % THREADS, N), others(N), (long)total);
    return 0;
}
