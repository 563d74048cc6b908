/* while loops that count. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 900
shared [N] int row[THREADS][N];
shared int cyc[N * THREADS];
shared long total;
int own[N + 8];

static void skip(int *i) { *i += 2; }

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

/* Steps in the middle of the body, and within its statements. */
static long middle(int n) {
    long s = 0;
    int i = 0, at = 0;
    while (i < n) { //> while: by i
        s += cyc[i];
        i++;
        if (s % 3 == 0)
            continue;
        s = s * 3 % 1000003;
    }
    i = 0;
    while (n > i) { //> while: by i
        int k = own[i++];
        if (k % 5 == 1)
            continue;
        s = s * 3 % 1000003 + cyc[k];
    }
    while (i > 0) { //> while: by i
        s = s * 3 % 1000003 + cyc[i];
        i -= 3;
        s += cyc[at];
    }
    i = 0;
    while (at < n) { //> while: by at
        i = i * 3 % 1000003 + cyc[at++];
        s ^= i;
    }
    /* Other loops: they step in another way, hide the variable, or are left. */
    i = at = 0;
    while (i < n) {
        if (own[i] % 3 == 0)
            s += cyc[i++];
        else
            s += cyc[i++] * 2;
    }
    i = 0;
    while (i < n) {
        int k = own[i++];
        s = s * 3 % 1000003 + cyc[k] + i;
    }
    i = 0;
    while (i < n) {
        int k = own[i++];
        s = s * 3 % 1000003 + cyc[k];
        if (s % 700 == 3)
            break;
    }
    s += i;
    int taken = 0;
    while (taken < n) {
        if (own[taken] % 2)
            skip(&taken);
        taken++;
        s += cyc[at];
    }
    int far = 2;
    while (far < n) {
        s = s * 3 % 1000003 + cyc[far];
        far += 1 + at % 3;
        at++;
    }
    while (at > 0 && own[at] + 1 > 0) {
        s = s * 3 % 1000003 + cyc[at--];
    }
    return s + i + at + far;
}

/* Loops with `continue', another last statement, a step declared in the body, or no shared accesses. */
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
    printf("%d %ld %ld %ld %ld\n", MYTHREAD, sums((MYTHREAD + 1) % THREADS, N), others(N), (long)total,
           middle(N));
    return 0;
}
