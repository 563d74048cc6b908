/* Loops read in stages that write the objects they read, or the operands of their reads: searches of
 * graphs, labels, bounds and columns that change. One thread runs them: other threads' writes
 * meanwhile would be unordered. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 70
#define ROWS 71
#define M 2000
shared int row[ROWS * THREADS];
shared int column[M * THREADS];
shared int level[N * THREADS], parent[N * THREADS], label[N * THREADS];
shared short small[N * THREADS];
shared double distance[N * THREADS];
int queue[M], after[M], *now = queue, *then = after;

/* By levels, with two queues of this thread, which as far as the loop knows may be the same. */
static long by_levels(int root) {
    int n = 1, depth = 0;
    long visited = 0;
    for (int v = 0; v < N * THREADS; v++)
        level[v] = -1;
    level[root] = 0;
    now[0] = root;
    while (n > 0) {
        int m = 0;
        depth++;
        for (int i = 0; i < n; i++) { //> prefetch: stages [row row], [column], [level], with notes of written objects
            int u = now[i];
            for (int k = row[u]; k < row[u + 1]; k++) {
                int w = column[k];
                if (level[w] == -1) {
                    level[w] = depth;
                    parent[w] = u;
                    then[m++] = w;
                }
            }
        }
        int *t = now;
        now = then;
        then = t;
        visited = visited * 3 % 1000003 + m;
        n = m;
    }
    return visited;
}

/* The graph contains the frontier, through pointers: writes may change bounds and columns. */
static long scan(shared int *state, shared int *rows, shared int *columns, int depth, int n) {
    long found = 0;
    for (int v = 0; v < n; v++) //> prefetch: stages [state], [rows rows], [columns], [state], with notes of written objects
        if (state[v] == depth)
            for (int k = rows[v]; k < rows[v + 1]; k++) {
                int w = columns[k];
                if (state[w] == -1) {
                    state[w] = depth + 1;
                    found++;
                }
            }
    return found;
}

/* Queues that may be one: a write may change the next element. */
static long one_queue(int *list, int *out, int n, int most) {
    long sum = 0;
    int m = n;
    for (int i = 0; i < most; i++) { //> prefetch: stages [row row], [column], [level], with notes of written objects
        int u = list[i];
        for (int k = row[u]; k < row[u + 1]; k++) {
            int w = column[k];
            if (level[w] % 3 != 1 && m < M) {
                level[w] += 3;
                out[m++] = w;
            }
        }
        sum = sum * 3 % 1000003 + u;
    }
    return sum + m;
}

/* As in textbooks: one queue, which grows while it is traversed. */
static long breadth_first(int root) {
    long sum = 0;
    int head = 0, tail = 0;
    for (int v = 0; v < N * THREADS; v++)
        level[v] = -1;
    level[root] = 0;
    queue[tail++] = root;
    while (head < tail) { //> prefetch: stages [row row], [column], [level], [level], with notes of written objects
        int v = queue[head++];
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: [level], held [column], up to written objects
            int w = column[k];
            if (level[w] == -1) {
                level[w] = level[v] + 1;
                queue[tail++] = w;
            }
        }
        sum = sum * 3 % 1000003 + v;
    }
    return sum + tail;
}

/* Levels that change during the traversal of a queue: branches that go another way than noted,
 * with reads in them, and loops. */
static long relabel(int n) {
    long sum = 0;
    long from = 0, to = 0;
    for (int i = 0; i < n; i++)
        queue[to++] = i * 11 % N;
    for (; from < to; from++) { //> prefetch: stages [row row], [column], [level], [label parent label], with notes of written objects
        int v = queue[from];
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: stages [column], [level], [label parent label], with notes of written objects
            int w = column[k];
            if (level[w] % 4 == 1) {
                level[w] = label[v] % 9 + 3;
                sum = sum * 3 % 1000003 + parent[w];
                for (int j = 0; j < 2; j++) //> prefetch: [label]
                    sum ^= label[w + j];
            } else if (to < M / 2 && level[w] > 4) {
                level[w] = w % 6;
                queue[to++] = w;
            }
        }
    }
    return sum + to;
}

/* Least labels, with known values, small ones, and values of an update. */
static void labels(void) {
    for (int v = 0; v < N * THREADS; v++) { //> prefetch: stages [label row row], [column], [label small], with notes of written objects
        int least = label[v];
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: stages [column], [label small], with notes of written objects
            if (label[column[k]] < least)
                least = label[column[k]];
            if (small[column[k]] > 40)
                small[column[k]] -= v % 9;
            if (small[column[k]] < 3)
                small[column[k]] = k % 50;
        }
        if (least < label[v])
            label[v] = least;
    }
}

/* The least distance, alone and in a branch that does more. */
static long relax(void) {
    long changed = 0;
    for (int v = 0; v < N * THREADS; v++) { //> prefetch: stages [distance], [row row], [column], [distance], with notes of written objects
        double d = distance[v];
        if (d < 1e6)
            for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: [distance], held [column], up to written objects
                int w = column[k];
                double e = d + w % 7 + 1;
                if (e < distance[w]) {
                    distance[w] = e;
                    changed = changed * 3 % 1000003 + v;
                }
            }
    }
    for (int v = 0; v < N * THREADS; v++) //> prefetch: stages [row row], [distance column], with notes of written objects
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: [column]
            double e = distance[v] + column[k] % 3 + 0.25;
            if (distance[column[k]] > e)
                distance[column[k]] = e;
        }
    return changed;
}

/* Columns and ends of rows that earlier elements change. */
static long changes(void) {
    long sum = 0;
    for (int v = 0; v < N; v++) //> prefetch: stages [row row], [column], [label], with notes of written objects
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: stages [column], [label], with notes of written objects
            int w = column[k];
            sum = sum * 3 % 1000003 + label[w];
            if (label[w] % 5 == 2 && k + 3 < M) {
                int at = k + 3;
                column[at] = (w + 1) % N;
            }
        }
    for (int v = 0; v < N; v++) { //> prefetch: stages [row row label], [column], [label], with notes of written objects
        for (int k = row[v]; k < row[v + 1]; k++) {
            int w = column[k];
            sum = sum * 3 % 1000003 + label[w];
            if (label[w] % 4 == 1)
                row[v + 1] = k + 1;
        }
        if (label[v] % 3)
            row[v + 2] = row[v + 1] + v % 4;
    }
    return sum;
}

int main(void) {
    unsigned s = 11;
    long sum = 0;
    if (MYTHREAD == THREADS - 1) {
        int e = 0;
        for (int v = 0; v < N * THREADS; v++) {
            int most = v == 9 ? 60 : (s = s * 1103515245 + 12345) / 65536 % 9;
            row[v] = e;
            for (int k = 0; k < most && e < M * THREADS - 1; k++, e++) {
                s = s * 1103515245 + 12345;
                column[e] = s / 65536 % (N * THREADS);
            }
        }
        row[N * THREADS] = e;
        for (int v = 0; v < N * THREADS; v++) {
            s = s * 1103515245 + 12345;
            label[v] = s / 65536 % 1000;
            small[v] = s / 1024 % 50;
            distance[v] = v ? 1e9 : 0;
        }
        for (int root = 0; root < 2; root++)
            sum = sum * 5 % 1000003 + by_levels(root) + breadth_first(root);
        for (int v = 0; v < N * THREADS; v++)
            level[v] = -1;
        level[9] = 0;
        for (int depth = 0; depth < 3; depth++)
            sum = sum * 5 % 1000003 + scan(level, row, column, depth, N * THREADS);
        sum += scan(level, row, (shared int *)level, 3, N) + scan(row, row, column, 12, N);
        for (int i = 0; i < 20; i++)
            queue[i] = i * 3;
        sum = sum * 5 + one_queue(queue, queue, 20, 60);
        sum = sum * 5 + one_queue(queue + 10, after, 0, 50) + one_queue(after, after + 3, 9, 40);
        labels();
        labels();
        sum = sum * 5 % 1000003 + relabel(20);
        sum = sum * 5 % 1000003 + relabel(50);
        sum = sum * 5 + relax();
        sum = sum * 5 + relax();
        for (int v = 0; v < N * THREADS; v++) //> prefetch: cached [level label small parent distance]
            sum = sum * 7 % 1000000007 + level[v] + label[v] * 3 + small[v] * 5 + parent[v] + (long)(8 * distance[v]);
        sum = sum * 5 + changes();
        for (int v = 0; v < N * THREADS; v++) //> prefetch: cached [row column]
            sum = sum * 7 % 1000000007 + row[v] + column[v];
        printf("%ld\n", sum);
    }
    return 0;
}
