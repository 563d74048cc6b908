/* Loops whose iterations follow the values that they read, for an unknown number of steps: lists, trees,
 * chains of numbers, tables with open addressing, and similar loops that are left alone. One thread fills the
 * tables, so that all read the same values. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 120
#define B 11
#define T 400
typedef struct node {
    long key, value;
    double weight;
    shared struct node *next;
    shared struct node *left, *right;
} node_t;
shared node_t pool[N * THREADS];
shared node_t *shared head[B * THREADS];
shared long table[T * THREADS];
shared int parent[N * THREADS];
shared int line[N * THREADS];

static unsigned hash(long key) { return (unsigned long)key * 0x9e3779b97f4a7c15UL >> 50; }
static unsigned spread(long key, long by) { return key % by; }

/* A list for each key, in a table of lists; the results may overlap the keys, as far as is known. */
static long lists(const long *key, long *out, int n) {
    long found = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [head p p p]
        shared node_t *p = head[hash(key[i]) % (B * THREADS)];
        while (p && p->key != key[i])
            p = p->next;
        out[i] = p ? p->value : -1;
        found += p != 0;
    }
    return found;
}

/* The same as an ordinary `for' loop, with variables of the function. */
static double sums(int n) {
    double all = 0;
    int i, steps;
    shared node_t *p;
    for (i = 0; i < n; i++) { //> prefetch: rounds [head p p]
        steps = 0;
        for (p = head[i]; p; p = p->next) {
            all += p->weight;
            if (++steps > 20)
                break;
        }
    }
    return all;
}

/* Open addressing, left from inside. */
static long probes(const long *key, int n) {
    long found = 0, steps = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [table]
        unsigned h = hash(key[i]) % (T * THREADS);
        for (;;) {
            long k = table[h];
            steps++;
            if (k == 0)
                break;
            if (k == key[i]) {
                found++;
                break;
            }
            h = (h + 1) % (T * THREADS);
        }
    }
    return found * 100000 + steps;
}

/* Roots of trees by numbers, of this thread's elements. */
static long roots(void) {
    long sum = 0;
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; i) { //> prefetch: rounds [parent parent]
        int r = i;
        while (parent[r] != r)
            r = parent[r];
        sum += r;
    }
    return sum;
}

/* A search in a tree, with `continue` and a list at its end. */
static long descents(const long *key, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [p p p p p p q]
        shared node_t *p = &pool[0], *q;
        if (key[i] % 5 == 0)
            continue;
        while (p) {
            if (p->key == key[i])
                break;
            p = key[i] < p->key ? p->left : p->right;
        }
        if (!p)
            continue;
        sum += p->value;
        for (q = p->next; q; q = q->next)
            sum += 3;
    }
    return sum;
}

/* Writes may change objects that are read: chains that are shortened while others are followed. */
static long shorten(shared int *up, shared int *to, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [up up]
        int r = i, most = 0;
        while (up[r] != r && most++ < 40)
            r = up[r];
        to[i] = r;
        sum = sum * 3 % 1000003 + r;
    }
    return sum;
}

/* The reads determine which object is written. */
static long marks(const long *key, int n) {
    static int count[N];
    long sum = 0;
    for (int i = 0; i < N; i++)
        count[i] = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [head p p p]
        shared node_t *p = head[hash(key[i]) % (B * THREADS)];
        while (p && p->key < key[i])
            p = p->next;
        if (p)
            count[p->value % N]++;
    }
    for (int i = 0; i < N; i++)
        sum = sum * 3 % 1000003 + count[i];
    return sum;
}

/* Not done: an iteration begins where the previous one has ended. */
static long cursor(int n) {
    long sum = 0;
    int at = 0;
    for (int i = 0; i < n; i++) { //> not prefetch: no iteration is sure
        while (at < N * THREADS - 1 && line[at] < i)
            at++;
        sum += at;
    }
    return sum;
}

/* Not done: a stale number would be a subscript of a private array, a divisor, or a number of steps. */
static long private_ones(int *index, const int *table_of, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> not prefetch: no iteration is sure
        int r = table_of[index[i]];
        while (parent[r] != r)
            r = parent[r];
        index[i + 1] = r % 7;
        sum += r;
    }
    return sum;
}
static long divisors(int *by, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> not prefetch: no iteration is sure
        int r = 100 / by[i];
        while (parent[r] != r)
            r = parent[r];
        by[i + 1] = r + 1;
        sum += spread(r, by[i]);
    }
    return sum;
}

/* A loop that waits for another thread is tried in vain. */
static long turns(void) {
    long sum = 0;
    for (int i = 0; i < 3; i++) { //> prefetch: rounds [line]
        while (line[(MYTHREAD + 1) % THREADS] / (i + 1) > N * THREADS)
            ;
        sum += i;
    }
    return sum;
}

/* A condition that the loop writes guards a quotient: in a trial its divisor is 0 if the condition fails. */
int asked;
static long guarded(int n, int d) {
    long sum = 0;
    asked = 1;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent parent]
        int r = i;
        while (parent[r] != r)
            r = parent[r];
        if (asked)
            r = r / (d - i);
        if (i == d - 1)
            asked = 0;
        sum += parent[r];
    }
    return sum;
}

/* An inner loop whose end a trial, which writes nothing, does not reach. */
unsigned goal;
shared int out_of[256 * THREADS];
static long endless(int n) {
    long sum = 0;
    goal = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent]
        unsigned x = (i & 1) + 2, r = i;
        while (x != goal) {
            x = (x + 2) % 256;
            out_of[x] = i;
            if (x == 2)
                r = parent[r];
        }
        goal = (i + 1) & 1;
        sum += parent[r];
    }
    return sum;
}

/* Bit-fields at addresses that are read: a trial finds the struct, since a bit-field has no address. */
struct bits { long v; unsigned f : 5, g : 7; };
shared struct bits of_all[N * THREADS];
shared struct bits *shared to_bits[N * THREADS];
static struct bits own_bits[N];
static long bit_fields(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent line]
        int r = i;
        while (parent[r] != r) {
            r = parent[r];
            of_all[line[r]].f ^= i;
        }
    }
    for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent to_bits]
        int r = i;
        while (parent[r] != r)
            r = parent[r];
        to_bits[r]->g = i;
    }
    for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent line]
        int r = i;
        while (parent[r] != r)
            r = parent[r];
        own_bits[line[r] % N].f += r;
    }
    for (int i = 0; i < N; i++) //> not prefetch: the loop reads a bit-field
        sum = sum * 3 % 1000003 + of_all[i].f * 130 + of_all[i].g + own_bits[i].f;
    return sum;
}

/* Variables without plain names of types: pointers to rows and functions, names that hide a typedef. */
typedef int count;
static int one(int r) { return r + 1; }
static int two(int r) { return r + 2; }
static long names(int n) {
    static int table_of[8][4] = {{1, 2, 3}, {4, 5, 6}};
    long sum = 0;
    count best = 0;
    int (*row)[4] = table_of, (*f)(int) = one;
    {
        int count = 3;
        for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent]
            int r = i;
            while (parent[r] != r)
                r = parent[r];
            row = table_of + r % 8;
            f = r > 2 ? one : two;
            best = r;
            count = r;
            sum += count;
        }
        sum += count;
    }
    return sum + best + (*row)[1] + f(1);
}

/* A loop that counts by `while', and the longest way. */
static long steps(int n) {
    long sum = 0;
    int most = 0;
    for (int i = 0; i < n; i++) { //> prefetch: rounds [parent parent]
        int r = i, k = 0, way = 0;
        while (k < 3) {
            r = parent[r];
            k++;
        }
        while (r > 9) {
            r = parent[r];
            way++;
        }
        if (way > most)
            most = way;
        sum += r;
    }
    return sum * 100 + most;
}

static void fill(void) {
    for (int i = 0; i < B * THREADS; i++)
        head[i] = 0;
    for (long i = 0; i < N * THREADS; i++) { //> prefetch: stages [head], with notes of written objects
        long key = i * 211 % (N * THREADS) * 3 + 1;
        unsigned h = hash(key) % (T * THREADS), b = hash(key) % (B * THREADS);
        shared node_t *p = &pool[0];
        pool[i].key = key;
        pool[i].value = i;
        pool[i].weight = i % 10;
        pool[i].left = pool[i].right = 0;
        pool[i].next = head[b];
        head[b] = &pool[i];
        while (table[h])
            h = (h + 1) % (T * THREADS);
        table[h] = key;
        parent[i] = i < 7 ? i : i / 3;
        line[i] = i / 2;
        while (i > 0) {
            if (key < p->key && p->left)
                p = p->left;
            else if (key > p->key && p->right)
                p = p->right;
            else
                break;
        }
        if (i > 0 && key < p->key)
            p->left = &pool[i];
        else if (i > 0 && key > p->key)
            p->right = &pool[i];
    }
}

#define KEYS 100
long key[KEYS], out[KEYS];
int index_of[KEYS + 1], by[KEYS + 1];

int main(void) {
    long sum = 0;
    if (MYTHREAD == THREADS / 2)
        fill();
    upc_barrier;
    for (int i = 0; i < KEYS; i++) {
        key[i] = (i * 37 + MYTHREAD * 5) % (N * THREADS * 3);
        by[i] = 1 + i % 9;
    }
    by[KEYS] = 1;
    printf("%d: lists %ld\n", MYTHREAD, lists(key, out, KEYS));
    for (int i = 0; i < KEYS; i++)
        sum = sum * 3 % 1000003 + out[i];
    printf("%d: found %ld\n", MYTHREAD, sum);
    printf("%d: sums %.1f\n", MYTHREAD, sums(B * THREADS));
    printf("%d: probes %ld\n", MYTHREAD, probes(key, KEYS));
    printf("%d: roots %ld\n", MYTHREAD, roots());
    printf("%d: descents %ld\n", MYTHREAD, descents(key, KEYS));
    printf("%d: marks %ld\n", MYTHREAD, marks(key, KEYS));
    printf("%d: cursor %ld\n", MYTHREAD, cursor(KEYS));
    printf("%d: private %ld\n", MYTHREAD, private_ones(index_of, index_of, KEYS));
    printf("%d: divisors %ld\n", MYTHREAD, divisors(by, KEYS));
    printf("%d: turns %ld\n", MYTHREAD, turns());
    printf("%d: guarded %ld\n", MYTHREAD, guarded(20, 5));
    printf("%d: endless %ld\n", MYTHREAD, endless(20));
    printf("%d: names %ld\n", MYTHREAD, names(N));
    printf("%d: steps %ld\n", MYTHREAD, steps(N));
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("shorten %ld\n", shorten(parent, line, N * THREADS));
        printf("itself %ld\n", shorten(parent, parent, N * THREADS));
        for (int i = 0; i < N * THREADS; i++)
            to_bits[i] = &of_all[i * 7 % N];
        printf("bit-fields %ld\n", bit_fields(N * THREADS));
    }
    /* Objects read in rounds before a barrier are read anew after it. */
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i += 4)
            parent[i] = i;
    upc_barrier;
    printf("%d: roots then %ld\n", MYTHREAD, roots());
    /* The loop writes its keys. */
    printf("%d: lists in place %ld\n", MYTHREAD, lists(key, key, KEYS));
    return 0;
}
