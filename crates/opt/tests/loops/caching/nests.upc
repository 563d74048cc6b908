/* Nests that read remote memory again and again: the cached copies follow the thread's own writes. */
#include <stdio.h>
#include <upc_relaxed.h>
#define ROWS 5
#define COLUMNS 40
#define N 300
#define LONG 1100
shared [200] double a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS], c[ROWS * THREADS][COLUMNS];
shared int x[N * THREADS], y[N * THREADS];
shared [7] short u[7 * THREADS * 3];
shared [3] char bytes[9 * THREADS];
shared long deep[THREADS * LONG][128];
struct part { char tag; double value; unsigned field : 5; };
shared [2] struct part parts[4 * THREADS];
struct group { char tag; int member[3]; };
shared struct group groups[5 * THREADS];
struct triple { char part[3]; };
#define TRIPLES 1500
static shared [] char *shared wide[THREADS];
static shared int *go_on;
shared [] int *shared directory[2 * THREADS];
static double seen[COLUMNS];

static void fill(void) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &a[i][0])
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = (i * 31 + j * 17) % 29;
            b[i][j] = (i * 13 + j * 41) % 23;
            c[i][j] = 0;
        }
    upc_forall (int i = 0; i < N * THREADS; i++; &x[i]) {
        x[i] = i * 7 % 101;
        y[i] = 0;
    }
    upc_forall (int i = 0; i < 21 * THREADS; i++; &u[i])
        u[i] = i * 5;
    upc_forall (int i = 0; i < 9 * THREADS; i++; &bytes[i])
        bytes[i] = i * 3;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &parts[i]) {
        parts[i].tag = i;
        parts[i].value = i * 0.5;
        parts[i].field = i;
    }
    upc_barrier;
}

static double sum_of_c(void) {
    double s = 0;
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++) //> caching: reads from
        for (int j = 0; j < COLUMNS; j++)
            s += c[i][j] * (i + 2 * j + 1);
    upc_barrier;
    return s;
}

static void product(void) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &c[i][0]) //> caching: reads from
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < ROWS * THREADS; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void transposed(void) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &c[i][0]) //> caching: reads from
        for (int j = 0; j < ROWS * THREADS; j++)
            if (i < COLUMNS && j < COLUMNS)
                c[i][j] = a[j][i];
}

/* Each element from its predecessor, which is mostly remote and just written; by thread 0 alone. */
static long in_turn(shared int *to, shared int *from, int n) {
    long s = 0;
    for (int r = 1; r < 4; r++) //> caching: reads from
        for (int i = r; i < n; i++) {
            to[i] = to[i - r] + from[i];
            s += to[i] ^ to[i - 1];
        }
    return s;
}

/* Updates that the owner does, between reads. */
static long updated(int n) {
    long s = 0;
    for (int r = 0; r < 3; r++) //> caching: reads from
        for (int i = 0; i < n; i++) {
            s += x[i];
            x[i] += r;
            s += 3 * x[i];
            x[i] = x[i] < 50 ? 50 : x[i];
            s += x[i];
        }
    return s;
}

static long small(void) {
    long s = 0;
    for (int r = 0; r < 2; r++) //> caching: reads from
        for (int i = 0; i < 21 * THREADS; i++)
            s += u[i] * (r + 1) + (i < 9 * THREADS ? bytes[i] : 0);
    for (int i = 0; i < 4 * THREADS; i++) //> not caching: no read in the
        s += parts[i].tag + (long)(2 * parts[i].value) + parts[i].field;
    for (int r = 0; r < 3; r++) //> caching: reads from
        for (int i = 0; i < 4 * THREADS; i++)
            s += parts[i].tag + (long)(2 * parts[i].value) + parts[i].field;
    return s;
}

/* Whole objects and members are written between reads of members. */
static long records(void) {
    struct part other = {9, 4.5, 3};
    long s = 0;
    for (int r = 0; r < 3; r++) //> caching: reads from
        for (int i = 0; i < 4 * THREADS; i++) {
            s += parts[i].tag + (long)(2 * parts[i].value);
            if (i % 3 == r)
                parts[i] = other;
            parts[i].field = i + r;
            s += parts[i].tag + parts[i].field;
            parts[i].tag++;
        }
    return s;
}

/* Objects of three bytes, some of which lie in two lines, or in two pieces of one. */
static long triples(int shift) {
    struct triple other = {{0}};
    shared [] struct triple *at = (shared [] struct triple *)(wide[(MYTHREAD + 1) % THREADS] + shift);
    long s = 0;
    for (int r = 0; r < 3; r++) //> caching: reads from
        for (int i = TRIPLES - 1; i >= 0; i--) {
            s = (s * 3 + at[i].part[0] + 5 * at[i].part[1] + 7 * at[i].part[2]) % 1000003;
            other.part[r] = (i * 7 + r) % 100;
            at[i] = other;
        }
    return s;
}

/* More lines than the cache has; and the same nest once more. */
static long far(void) {
    long s = 0;
    for (int j = 0; j < 3; j++) //> caching: reads from
        for (int i = 0; i < LONG * THREADS; i++)
            s += deep[i][50 * j];
    return s;
}

/* Reads under conditions, downwards, by pointers that count. */
static long others(int n) {
    long s = 0;
    for (int i = n - 1; i >= 0; i--) //> caching: reads from
        if (i % 3)
            s += x[i] * i;
    while (n--) //> caching: reads from
        s ^= x[n];
    for (shared int *p = x; p < &x[N]; p++) //> caching: reads from
        s += *p;
    return s;
}

/* A directory's arrays, which the nest also writes; then a directory that the nest changes. */
static long directories(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) //> caching: reads from
        for (int t = 0; t < 2 * THREADS; t++) {
            int more = directory[t][i];
            directory[t][i] = (int)s % 1000;
            s += more * (t + 1);
        }
    for (int r = 0; r < 3; r++) //> caching: reads from
        for (int t = 0; t < 2 * THREADS; t++) {
            s += directory[t][r];
            if (t % 3 == r)
                directory[(t + 1) % (2 * THREADS)] = directory[t];
            s = s * 3 + directory[t][r + 1];
        }
    return s % 1000003;
}

/* Loops that wait, or may wait: nothing is cached. */
static long waiting(int n) {
    long s = 0;
    for (int t = 0; t < 2; t++) //> caching: reads from
        for (int i = 0; i < n; i++) {
            int turns = 0;
            while (x[i] < 0 && turns++ < 3)
                ;
            s += x[i];
        }
    for (int i = 0; i < n; i++) { //> not caching: the loop synchronises
        s += x[i];
        upc_fence;
    }
    for (int i = 0; i < *go_on; i++) //> not caching: the loop is not
        s += x[i];
    return s;
}

/* Parts of the thread's own elements are its own too; parts of others' elements are cached. */
static long parts_of_own(void) {
    long s = 0;
    upc_forall (int i = 0; i < 5 * THREADS; i++; &groups[i]) {
        groups[i].tag = i;
        for (int j = 0; j < 3; j++) {
            groups[i].member[j] = i * 3 - j;
            s += groups[i].member[j] * j + groups[i].tag;
        }
    }
    upc_barrier;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &groups[i]) //> caching: reads from
        for (int j = 0; j < 3; j++)
            s += groups[i].member[j] * j + groups[i + 1].member[2 - j] + groups[i].tag;
    return s;
}

int main(void) {
    fill();
    product();
    double first = sum_of_c();
    transposed();
    double second = sum_of_c();
    upc_forall (int i = 0; i < LONG * THREADS; i++; &deep[i][0])
        for (int j = 0; j < 128; j++)
            deep[i][j] = i * 3 + j;
    go_on = &y[0];
    for (int d = 0; d < 2; d++) {
        directory[d * THREADS + MYTHREAD] = (shared [] int *)upc_alloc(N * sizeof(int));
        for (int i = 0; i < N; i++)
            directory[d * THREADS + MYTHREAD][i] = (i * 5 + d + MYTHREAD) % 77;
    }
    wide[MYTHREAD] = (shared [] char *)upc_alloc(sizeof(struct triple) * TRIPLES + 3);
    upc_memset(wide[MYTHREAD], MYTHREAD + 1, sizeof(struct triple) * TRIPLES + 3);
    upc_barrier;
    long s[13] = {small(), far(), others(N * THREADS)};
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
            s[3] = in_turn(y, x, N);
            s[4] = in_turn(x, x, 40);
            s[5] = updated(N);
            s[6] = records();
            s[8] = directories(N);
            for (int shift = 0; shift < 3; shift++)
                s[10 + shift] = triples(shift);
        }
        upc_barrier;
    }
    y[0] = 9;
    upc_barrier;
    s[7] = waiting(N);
    s[9] = parts_of_own();
    printf("%d: %g %g", MYTHREAD, first, second);
    for (int i = 0; i < 13; i++)
        printf(" %ld", s[i]);
    printf("\n");
    return 0;
}
