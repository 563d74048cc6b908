/* Reads that depend on each other and on conditions: rows of a graph whose bounds, columns and vertices are
 * all shared. Rows are of 0 to 14 elements, one of more than a part. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
#define ROWS 61
#define M 2000
struct vertex {
    int degree;
    double rank;
    short label;
};
shared int row[ROWS * THREADS];
shared int column[M * THREADS];
shared [3] int weight[M * THREADS];
shared double x[N * THREADS], y[N * THREADS];
shared struct vertex vertex[N * THREADS];
shared int flag[N * THREADS], next[N * THREADS];
int marked[N * 8], chosen[N * 8];
shared [] int list[4 * N], other[4 * N];

/* A sparse product by rows. */
static void product(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &y[i]) { //> prefetch: stages [row row], [weight column], [x]
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) //> prefetch: [weight x], held [column]
            sum += weight[k] * x[column[k]];
        y[i] = sum;
    }
}

/* The bounds in variables, the inner variable the function's. */
static double bounds(void) {
    double sum = 0;
    int k;
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) { //> prefetch: stages [row row], [column weight], [x]
        int from = row[i], to = row[i + 1];
        for (k = to - 1; k >= from; k--) { //> prefetch: [x], cached [weight], held [column]
            int c;
            c = column[k];
            sum = sum / 2 + x[c] * weight[k];
        }
    }
    return sum;
}

/* Members, and a condition on values that were read. */
static double ranks(void) {
    double all = 0;
    upc_forall (int v = 0; v < N * THREADS; v++; v) { //> prefetch: stages [row row], [column], [vertex], [vertex vertex], [x]
        double sum = 0;
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: stages [column], [vertex], [vertex vertex], [x]
            int u = column[k];
            if (vertex[u].degree > 3)
                sum += vertex[u].rank / vertex[u].degree;
            else if (vertex[u].label != v % 5)
                sum -= x[u];
        }
        all = all / 3 + sum;
    }
    return all;
}

/* Loops of one level: branches, `continue', operators that leave operands out. */
static double conditions(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) //> prefetch: stages [flag], [next], [x]
        if (flag[i] % 3)
            sum = sum / 2 + x[next[i]];
    for (int i = 0; i < n; i++) //> prefetch: stages [x]
        if (marked[i % (N * 8)] > 2)
            sum = sum / 2 + x[chosen[i % (N * 8)] % n];
    for (int i = 0; i < n; i++) { //> prefetch: stages [next], [x flag], [next], [x]
        int j = next[i] - 7;
        if (j < 0)
            continue;
        sum = sum / 2 + x[j];
        if (!(flag[j] & 1))
            continue;
        sum += x[next[j]];
    }
    for (int i = 0; i < n; i++) { //> prefetch: stages [next], [flag], [next], [x]
        int j = next[i] - n / 2;
        sum = sum / 2 + (j >= 0 && flag[j] > 1 ? x[next[j]] : 1);
    }
    for (int i = 0; i < n; i++) { //> prefetch: stages [next], [flag], [y next], [flag], [y]
        int j = next[i] - n / 3;
        if (j >= 0 && flag[j] % 2)
            sum = sum / 2 + y[j];
        else if (j < 0 || flag[next[j]])
            sum -= y[i];
    }
    return sum;
}

/* Three loops, and two in a row. */
static long triangles(void) {
    long found = 0;
    upc_forall (int u = 0; u < N * THREADS; u++; &flag[u]) { //> prefetch: stages [row row], [column], [row row], [column], [flag]
        for (int i = row[u]; i < row[u + 1]; i++) { //> prefetch: stages [column], [row row], [column], [flag]
            int v = column[i];
            if (v > u)
                for (int k = row[v]; k < row[v + 1]; k++) //> prefetch: stages [column], [flag]
                    found = found * 3 % 1000003 + (column[k] > v ? flag[column[k]] : 1);
        }
    }
    for (int u = 0; u < N; u++) { //> prefetch: stages [row row], [column column], [flag next]
        for (int i = row[u]; i < row[u + 1]; i++) //> prefetch: [flag], held [column]
            found += flag[column[i]] * i;
        for (int i = row[u]; i < row[u + 1]; i += 2) //> prefetch: [next], held [column]
            found ^= next[column[i]] + i;
    }
    return found % 1000003;
}

/* Loops that may be left, or count in another way, are not read in stages; all of them are read in rounds. */
static long partly(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [row row column next next flag row row column next column
        int k = row[i], end = row[i + 1];
        while (k < end && column[k] % 5)
            k++;
        sum = sum * 3 % 1000003 + flag[next[next[i]]] + k;
        for (int j = row[i]; j < row[i + 1]; j++) {
            if (column[j] == next[i])
                break;
            sum += column[j];
        }
        if (sum % 7 > 2)
            sum += flag[next[next[i]]];
    }
    return sum;
}

/* Through pointers, all of which may lead to the same objects. */
static long pointers(shared int *rows, shared int *columns, shared int *values, int *to, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: stages [rows rows], [columns], [values], up to some written objects, with notes of the others
        int least = i;
        for (int k = rows[i]; k < rows[i + 1]; k++) { //> prefetch: stages [columns], [values]
            int c = columns[k];
            if (values[c] % 9 < 5)
                least += values[c];
        }
        to[i] = least % 11;
        sum = sum * 3 % 1000003 + least;
    }
    return sum;
}

static void make(int seed) {
    unsigned s = seed;
    if (MYTHREAD == 0) {
        int e = 0;
        for (int v = 0; v < N * THREADS; v++) {
            int most = v == 17 ? 900 : (s = s * 1103515245 + 12345) / 65536 % 15;
            row[v] = e;
            for (int k = 0; k < most && e < M * THREADS - 900; k++, e++) {
                s = s * 1103515245 + 12345;
                column[e] = s / 65536 % (N * THREADS);
                weight[e] = s / 4096 % 13;
            }
        }
        row[N * THREADS] = e;
        for (int v = 0; v < N * THREADS; v++) {
            s = s * 1103515245 + 12345;
            x[v] = s / 65536 % 100 / 8.0;
            y[v] = s / 1024 % 100;
            vertex[v].degree = s / 65536 % 7;
            vertex[v].rank = s / 256 % 50;
            vertex[v].label = s / 512 % 5;
            flag[v] = s / 2048 % 6;
            next[v] = s / 4096 % (N * THREADS);
        }
    }
    for (int i = 0; i < N * 8; i++) {
        s = s * 1103515245 + 12345;
        marked[i] = s / 65536 % 7;
        chosen[i] = s / 1024 % 5000;
    }
    upc_barrier;
}

/* The inner loop has two versions, one of which writes without a note for the loop around it. */
static long versions(shared [] int *a, shared [] int *b, shared [] int *c, int *to, int *at, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: cached [a]
        for (int j = 0; j < 2; j++)
            b[i + 1] += j;
        *to++ = i;
        sum += to[-1];
        to--;
        a[i] = c[at[a[i + 2] % n] % n];
    }
    for (int i = 0; i < n; i++) //> prefetch: cached [a]
        sum = sum * 3 + a[i];
    return sum;
}

/* A constant condition excludes the read of a row. */
static long constants(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) //> prefetch: stages [column], [flag]
        if (N != 0 || 7 / row[i] > 1)
            sum = sum * 3 + flag[column[i] % N];
    return sum;
}

int main(void) {
    make(5);
    double sum = bounds() + ranks() + conditions(N * THREADS) + conditions(1);
    long found = triangles() + partly(N * THREADS);
    upc_barrier;
    product();
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) //> prefetch: cached [y]
        sum = sum / 2 + y[i];
    found += constants(N);
    printf("%d: %.9g %ld\n", MYTHREAD, sum, found);
    static int here[N * 8];
    printf("%d: %ld\n", MYTHREAD, pointers(row, column, flag, here, N));
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        found = pointers(row, column, flag, (int *)&flag[MYTHREAD], N);
        found += pointers(row, column, next, (int *)&row[MYTHREAD], N / 2 / THREADS);
        for (int i = 0; i < N; i++) //> prefetch: cached [flag row]
            found = found * 7 + flag[i] * 3 + row[i];
        for (int i = 0; i < 4 * N; i++)
            list[i] = other[i] = i * 7 % N;
        found = found * 7 + versions(other, list + 1, list, here, chosen, 3 * N);
        printf("%ld\n", found);
    }
    return 0;
}
