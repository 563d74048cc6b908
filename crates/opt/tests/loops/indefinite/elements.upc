/* Elements of objects on one thread, by subscripts. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
struct pair {
    int x, y[3];
    unsigned bits : 5;
};
shared [] int a[N], b[N];
shared [] double matrix[N][N], left[N][N], cube[4][5][6];
shared [] struct pair pairs[N];
shared [] int *kept, *other;
shared [] int *shared directory[THREADS];
strict shared [] int flag[N];
shared int cyclic[N * THREADS];

static void step(void) { kept = other; }

static long arrays(int n) {
    long s = 0;
    for (int i = 1; i < n; i++) //> indefinite: [a b]
        a[i] = 3 * b[i] + a[i - 1] % 7;
    for (int i = 0; i < n; i++) { //> indefinite: [matrix cube]
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            matrix[i][j] += cube[i % 4][j % 5][(i + j) % 6]++;
            if (matrix[i][j] > 1e9)
                return s;
        }
        s += (long)matrix[i][n - 1];
    }
    for (int i = 0; i < n; i++) { //> indefinite: [pairs]
        pairs[i].x += i;
        pairs[i].y[i % 3] = pairs[n - 1 - i].x;
        pairs[i].bits = i;
        s += pairs[i].bits;
    }
    int i = 0, least = 0;
    while (a[i] != 0 && i < n - 1) //> indefinite: [a]
        if (a[i++] < a[least])
            least = i;
    do //> indefinite: [b]
        s = 3 * s + b[--i] + sizeof(b[i]);
    while (i > 0);
    return s + least;
}

static long pointers(shared [] int *p, shared [] double (*rows)[N], shared [] struct pair *q, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) //> indefinite: [p]
        s += p[i] * i + *p + *(p + i);
    for (int i = 0; i < n; i++) //> indefinite: [rows q]
        s += (long)rows[i][n - 1 - i] + (*(q + i)).x + q[i].y[1];
    for (int t = 0; t < 3; t++) { //> not indefinite: the pointer to the
        for (int i = 0; i < n - 3; i++) //> indefinite: [p]
            s = 5 * s + p[i];
        p++;
    }
    for (int i = 0; i < n - 3; i++) { //> indefinite: [kept]
        s += kept[i];
        kept[i] = i;
    }
    for (int i = 0; i < n - 3; i++) { //> not indefinite: the pointer to the
        s += kept[i];
        step();
    }
    for (int i = 0; i < n; i++) //> indefinite: [a]
        cyclic[i * THREADS] += a[i];
    return s;
}

/* Other pointers, and uses that are more than an access. */
static long refused(shared [] int *p, int n) {
    long s = 0;
    shared [] int **at = &p;
    for (int i = 0; i < n - 9; i++) { //> not indefinite: the pointer to the
        s += p[i];
        *at += i % 2;
    }
    for (int i = 0; i < n; i++)
        s += flag[i] + (&a[i] - a);
    for (int i = 0; i < n; i++) { //> indefinite: [a]
        shared [] int *here = &b[i];
        s += here[0] + a[i];
    }
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < n; i++)
            s += directory[t][i];
    return s;
}

/* C compilers may change the order of these loops; a row with a constant number goes on into the next. */
static long nested(void) {
    double s = 0;
    for (int n = 0; n < N * N; n++) //> indefinite: [left]
        left[0][n] = n % 7;
    for (int k = 0; k < N; k++) //> indefinite: [matrix left]
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                matrix[j][i] += left[k][i] * left[j][k];
    for (int i = 0; i < 4; i++) //> indefinite: [cube matrix]
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                s += cube[i][j][k] * matrix[j][k] + (&matrix[i][j])[k];
    return (long)s;
}

int main(void) {
    long s = 0;
    kept = upc_alloc(N * sizeof(int));
    other = upc_alloc(2 * N * sizeof(int));
    for (int i = 0; i < N; i++) //> indefinite: [kept other]
        kept[i] = other[i] = i % 11;
    directory[MYTHREAD] = other;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 0; i < N; i++) { //> indefinite: [b a pairs]
            b[i] = i * i % 31;
            a[i] = pairs[i].x = i % 5;
        }
        s += arrays(N);
        s += pointers(kept, &matrix[0], &pairs[0], N);
        s += refused(other, N);
        s += nested();
        for (int i = 0; i < N; i++) //> indefinite: [a b matrix]
            for (int j = 0; j < N; j++)
                s = (3 * s + a[i] + b[j] + (long)matrix[i][j] + pairs[i].y[j % 3]) % 1000003;
        printf("%ld\n", s);
    }
    upc_barrier;
    return 0;
}
