/* Loops around one inner loop that reads: rows of few elements, of none, and of more than a part. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 300
#define MOST 2400
shared int x[N * THREADS], y[N * THREADS], z[N * THREADS];
shared [3] int blocks[N * THREADS];
shared [] int bounds[N + 1];
int row[N + 1], column[MOST], value[MOST];

/* The form of sparse products. */
static void product(void) {
    for (int i = 0; i < N; i++) { //> prefetch: stages [x]
        int sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
            sum += value[k] * x[column[k]];
        y[i * THREADS + MYTHREAD] = sum;
    }
}

/* Own rows; the inner variable is the function's, and ends and columns are variables. */
static void own_rows(void) {
    int k;
    upc_forall (int i = 0; i < N * THREADS; i++; &y[i]) { //> prefetch: stages [x]
        int from = row[i / THREADS], to = row[i / THREADS + 1];
        long sum = 0;
        for (k = from; k < to; k++) { //> prefetch: [x]
            int c = column[k];
            sum += x[c] ^ value[k];
        }
        y[i] = sum;
    }
}

/* Reads outside the inner loop, before and after it, come with the row. */
static void beside(void) {
    for (int i = 0; i < N; i++) { //> prefetch: stages [x x x]
        int sum = 3 * x[(i * 7) % (N * THREADS)];
        for (int k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
            sum += x[column[k]];
        z[i * THREADS + MYTHREAD] = sum - x[column[i]];
    }
}

/* Through pointers that may lead to written objects: a part ends before such a row. */
static void relax(shared int *to, shared int *from, int n) {
    for (int i = 0; i < n; i++) { //> prefetch: stages [from], up to written objects
        int sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) //> prefetch: [from]
            sum += from[column[k]] % 7;
        to[i] = sum;
    }
}

/* Each element writes, and may write the object that the next one reads. */
static void mark(shared int *state, int n) {
    for (int i = 0; i < n; i++) //> prefetch: stages [state], with notes of written objects
        for (int k = row[i]; k < row[i + 1]; k++) { //> prefetch: [state], up to written objects
            state[column[k]] = state[value[k] % n] + i;
        }
}

/* A write may change operands of the bounds: rows' ends, and the next end of a row. */
static long labels(shared int *label, int *first, int *last, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: stages [label], up to some written objects, with notes of the others
        int least = i;
        for (int k = first[i]; k < last[i]; k++) { //> not prefetch: the loop's condition reads objects that may change
            int other = label[column[k]];
            if (other < least)
                least = other;
            sum = sum * 3 + other;
            last[(i + k % 3) % n] -= other % 5 == 1;
        }
        label[i] = least;
    }
    return sum;
}

static void blocked(long *sums) {
    for (int i = 0; i < N; i++) { //> prefetch: stages [blocks]
        sums[i] = 0;
        for (int *c = &column[row[i]]; c < &column[row[i + 1]]; c++) { //> prefetch: [blocks]
            int b = blocks[*c];
            if (b % 5 == 0)
                continue;
            sums[i] += b;
        }
    }
}

/* Other nests: the inner loop goes in parts by itself. */
static long others(long *sums) {
    long s = 0;
    int k;
    for (int i = 0; i < N; i++) //> prefetch: stages [x]
        if (i % 3)
            for (k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
                s += x[column[k]];
    for (int i = 0; i < N; i++) //> prefetch: rounds [x]
        for (k = row[i]; k < row[i + 1]; k++) { //> not prefetch: the body synchronises, leaves
            if (x[column[k]] == 3)
                break;
            s++;
        }
    for (int i = 0; i < N; i++) { //> prefetch: stages [x]
        for (k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
            s += x[column[k]];
        s += k;
    }
    for (int i = 0; i < N; i++) { //> prefetch: stages [x x]
        for (k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
            s += x[column[k]];
        for (k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
            s ^= x[value[k] % N];
    }
    for (int i = 0; i < N; i++) //> prefetch: stages [x], up to written objects
        for (k = row[i]; k < row[i + 1]; k++) { //> not prefetch: the loop's condition reads objects that may change
            s += x[column[k]];
            row[N] = s == -1 ? k : row[N];
        }
    for (int i = 0; i < N; i++) //> prefetch: stages [x]
        for (k = row[i]; k < row[i] + sums[k] % 4; k++) //> prefetch: [x]
            s += x[column[k]];
    for (int i = 0; i < N; i++) //> prefetch: stages [bounds bounds], [x]
        for (k = bounds[i]; k < bounds[i + 1]; k++) //> prefetch: [x]
            s += x[column[k]];
    return s;
}

/* The inner two of three loops. */
static long cube(int n) {
    long s = 0;
    for (int t = 0; t < n; t++) //> not prefetch: no iteration is sure to read shared memory
        for (int i = t; i < N; i += n) //> prefetch: stages [x]
            for (int k = row[i]; k < row[i + 1]; k++) //> prefetch: [x]
                s = s * 3 + x[column[k]];
    return s;
}

int main(void) {
    static long sums[MOST];
    long total = 0;
    int m = 0;
    for (int i = 0; i < N; i++) {
        int length = i == 100 ? 60 : i * 7 % 11 < 3 ? 0 : i % 8;
        row[i] = m;
        for (int k = 0; k < length; k++) {
            column[m] = (m * 31 + i) % (N * THREADS);
            value[m++] = i + k;
        }
    }
    row[N] = m;
    upc_forall (int i = 0; i < N * THREADS; i++; &x[i]) {
        x[i] = i % 29;
        y[i] = z[i] = 0;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &blocks[i])
        blocks[i] = i;
    for (int i = MYTHREAD; i <= N; i += THREADS)
        bounds[i] = row[i];
    upc_barrier;
    product();
    upc_barrier;
    for (int i = 0; i < N; i++) //> prefetch: [y]
        total = total * 5 + y[i * THREADS + MYTHREAD];
    own_rows();
    beside();
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) //> prefetch: cached [y z]
        total = total * 3 + y[i] + z[i];
    blocked(sums);
    for (int i = 0; i < N; i++)
        total = total * 7 + sums[i];
    total += others(sums) + cube(1) + cube(4);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        relax(y, z, N);
        relax(x, x, N);
        relax(x + 2, x, N);
        relax(x, x + 1, N);
        mark(z, N);
        total += labels(y, row, row + 1, N);
        for (int i = 0; i < N; i++) { //> prefetch: cached [y]
            row[i] = i * 5;
            value[i] = i * 5 + (y[i] & 3);
        }
        total += labels(x, row, value, N);
        total += labels((shared int *)(z + MYTHREAD), row, value, N / THREADS);
    }
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) //> prefetch: cached [x y z]
        total = total * 3 + x[i] + y[i] * z[i];
    printf("%d: %ld\n", MYTHREAD, total);
    return 0;
}
