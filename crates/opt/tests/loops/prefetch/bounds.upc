/* Loops whose bound lies in shared memory and does not change: it is read once, before the loop. One thread
 * runs them: other threads' writes meanwhile would be unordered. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
#define M 900
struct part {
    int n;
    unsigned few : 9;
    shared int *at;
};
shared int row[N * THREADS];
shared int column[M * THREADS];
shared int level[N * THREADS], ends[N * THREADS];
shared double rank[N * THREADS];
shared struct part parts[N * THREADS];
strict shared int limit;
int queue[M];

/* Loops over rows of a graph, written in several ways. */
static long rows(int v) {
    long sum = 0;
    int n = 0;
    for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: [level], held [column], up to written objects
        int w = column[k];
        if (level[w] == -1)
            level[w] = v;
    }
    for (int k = row[v + 1] - 1; k >= row[v]; k--) { //> prefetch: [level], held [column], up to written objects
        int w = column[k];
        if (level[w] % 3 == 1 && n < M) {
            level[w] = level[v] + 4;
            queue[n++] = w;
        }
    }
    int k = row[v];
    while (k < row[v + 1]) { //> prefetch: [column]
        level[column[k]] += v;
        k++;
    }
    for (k = row[v]; k < row[v] + ends[v] && k != row[v + 1]; k++) //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[k];
    for (k = row[v]; k + row[v] % 2 < row[v + 1] - ends[v]; k++) { //> prefetch: [column]
        rank[column[k]] += 0.25;
        sum++;
    }
    return sum + n;
}

/* Members of shared objects, and by pointers to these. */
static long members(int v) {
    long sum = 0;
    shared struct part *p = &parts[v];
    for (int i = 0; i < p->n; i++) //> prefetch: [p], once [p]
        sum = sum * 3 % 1000003 + p->at[i];
    for (int i = 0; i < parts[v].n; i++) //> prefetch: [column]
        sum = sum * 3 % 1000003 + column[i * 2];
    for (int i = 0; i < *parts[v].at % 50; i++) //> prefetch: [column]
        sum = sum * 3 % 1000003 + column[i * 3];
    for (int i = 0; i < (int)p->few; i++) //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[i];
    return sum;
}

/* Bounds that change, or may change. */
static long changes(shared int *end, shared int *to, int v) {
    long sum = 0;
    for (int i = 0; i < ends[v] % 40; i++) { //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[i];
        if (i % 7 == 3)
            ends[v]--;
    }
    for (int i = 0; i < *end; i++) { //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[i];
        to[i % 5] = 20 + column[i] % 3;
    }
    for (int i = 0; i < *end; i++) { //> prefetch: [column]
        sum = sum * 3 % 1000003 + column[i];
        rank[i] = 2;
    }
    for (int i = 0; i < ends[i] % 40; i++) //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[i];
    for (int i = 0; i < limit; i++) //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[i];
    int u = v;
    for (int i = 0; i < 30 && u != ends[u]; i++) { //> not prefetch: the loop's condition reads objects that may change
        sum = sum * 3 % 1000003 + column[i];
        u = column[i] % N;
    }
    return sum;
}

int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &row[i]) {
        row[i] = i * (M / N);
        level[i] = i % 4 - 1;
        ends[i] = i % 6 + 4;
        rank[i] = i;
        parts[i].n = i % 30;
        parts[i].few = i % 20;
        parts[i].at = &column[i * 7 % 300];
    }
    upc_forall (int i = 0; i < M * THREADS; i++; &column[i])
        column[i] = i * 37 % N;
    if (MYTHREAD == 0)
        limit = 25;
    upc_barrier;
    if (MYTHREAD == 0) {
        long sum = 0;
        for (int v = 0; v < N - 1; v++) {
            sum = sum * 5 % 1000003 + rows(v);
            sum = sum * 5 % 1000003 + members(v);
            ends[v] += 12;
            sum = sum * 5 % 1000003 + changes(&ends[v], &level[v], v);
            if (v % 9 == 5)
                sum = sum * 5 % 1000003 + changes(&ends[3], &ends[3], v);
        }
        for (int v = 0; v < N; v++) //> prefetch: cached [level ends rank]
            sum = sum * 7 % 1000000007 + level[v] + ends[v] * 3 + (long)(4 * rank[v]);
        printf("%ld\n", sum);
    }
    return 0;
}
