/* Functions that access shared memory, in the place of their calls in loops. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
struct node { shared struct node *next; int key, value; };
struct pair { int a, b; };
shared int parent[N * THREADS], a[N * THREADS], mark[N * THREADS];
shared struct node nodes[N * THREADS];
shared [] struct node *shared heads[32 * THREADS];
shared double weight[N * THREADS];
static int calls;

static int find(int x) {
    while (parent[x] != x)
        x = parent[x];
    return x;
}

static inline double between(int u, int v) { return weight[u] * 2 - weight[v]; }

/* Returns in branches and from a loop. */
static int lookup(int key) {
    if (key < 0)
        return -1;
    shared struct node *p = &nodes[key % (N * THREADS)];
    for (int n = 0; p && n < 20; n++) {
        if (p->key == key)
            return p->value;
        else if (p->key == key + 1) {
            int v = p->value;
            return v + 1;
        }
        p = p->next;
    }
    if (key % 2) {
        key += 2;
        return key;
    }
    for (int k = 0; k < 3; k++)
        if (a[key % 7 + k] > 40)
            return k;
    return -3;
}

/* A function without a value, with an early return, that writes. */
static void put(int at, int value) {
    if (value < 0)
        return;
    mark[at] = mark[at] * 2 + value;
}

static struct pair both(const int i, shared int *p) {
    struct pair r = {p[i], a[i]};
    return r;
}

static shared int *where(int i) { return &a[(parent[i] + 1) % (N * THREADS)]; }

/* Arrays as parameters, for which the callers pass names. */
static int at(shared int x[], const int y[3], int i) { return x[y[i % 3] + i]; }
static double far(shared double w[N * THREADS], int i) { return w[i * 7 % (N * THREADS)]; }

/* A function that calls another. */
static int same(int i, int j) { return find(i) == find(j); }

/* The caller hides a name of the file that the function uses: the call stays. */
static int twice(int i) { return a[i] * 2; }
static long hidden(void) {
    static int a[N];
    long s = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        s += twice(i) + a[i];
    }
    return s;
}

/* Arguments with the names of parameters, and with effects. */
static long crossed(void) {
    long s = 0;
    int u = 3, v = 5, n = 0;
    for (int x = 0; x < N - 9; x++) {
        int at = lookup(n++ % 50);
        s = s * 3 + find(x + u) + (long)between(v, u) + at;
        if (between(x, n) > between(u, x) && lookup(v) != 7)
            s += lookup(u = x % 9);
        v = x % 11;
    }
    return s + n * 1000L + u;
}

static long of_all_kinds(void) {
    long s = 0;
    for (int i = 0; i < N; i++) {
        put(i, i % 5 - 1);
        lookup(i);
        (void)find(i);
        s = s * 3 + find(i % 7 * 5);
        s += a[find(i)] - -find(lookup(i) & 15);
        struct pair p = both(i, parent);
        s ^= p.a + p.b + *where(i);
        if (same(i, i / 2))
            s++;
        else if (find(i) > 9)
            put(i / 2, 3);
        else
            put(i / 3, 1), calls++;
        int y[3] = {0, 1, i % 4};
        s = s * 3 + at(parent, y, i) + (long)far(weight, i);
        switch (find(i) % 3) {
        case 0:
            put(1, 1);
            break;
        default:
            s += lookup(i);
        }
        s += i % 2 ? lookup(i + 1) : same(i, 3);
        do
            s += same(i, 1);
        while (find(i) == -1);
    }
    return s + calls;
}

/* A function of the caller's own accesses, in a loop over own elements. */
static void own(int i) { weight[i] = weight[i] * 0.5 + a[i]; }
static double of_own(void) {
    double s = 0;
    upc_barrier;
    upc_forall (int i = 0; i < N * THREADS; i++; &weight[i])
        own(i);
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++)
        s = s * 0.75 + weight[i];
    return s;
}

int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &parent[i]) {
        parent[i] = i % 17 ? i - i % 17 + (i % 17) / 2 : i;
        a[i] = i * 7 % 50;
        weight[i] = i * 0.5;
        nodes[i].key = i * 3 % 100;
        nodes[i].value = i;
        nodes[i].next = i % 13 == 0 ? 0 : &nodes[i * 7 % (N * THREADS)];
    }
    upc_barrier;
    long h = hidden(), c = crossed();
    upc_barrier;
    long k = MYTHREAD == 0 ? of_all_kinds() : 0;
    upc_barrier;
    for (int i = 0; i < N; i++)
        k = k * 5 + mark[i];
    double o = of_own();
    printf("%d: %ld %ld %ld %g\n", MYTHREAD, h, c, k, o);
    return 0;
}
