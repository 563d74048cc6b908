/* Loops read in stages that set, one iteration ahead, the operands of addresses, divisors, bounds and
 * conditions: until then these are garbage, which the program never uses. One thread runs them. */
#include <stdio.h>
#include <upc_relaxed.h>
#define L (16 * THREADS)
#define BAD (-0x7ffffff0)
#define MIN (-0x7fffffff - 1)
struct node { int pad; int value; struct place *unused; };
struct cell { char c; int to; };
union both { int number; float real; };
typedef shared int *cyclic;
typedef shared [3] int *blocked;
typedef shared [] int *indefinite;
typedef shared struct node *nodes;
shared int d[16 * THREADS], ix[16 * THREADS], ok[16 * THREADS], other[16 * THREADS];
shared long wide[16 * THREADS];
shared [3] int b[3 * 16 * THREADS];
shared struct node n[16 * THREADS];
shared struct cell cells[16 * THREADS];
shared union both both[16 * THREADS];
shared cyclic c8[16 * THREADS];
shared blocked c16[16 * THREADS];
shared indefinite ci[16 * THREADS];
shared nodes cn[16 * THREADS];
shared cyclic *shared cpp[16 * THREADS];
shared double real[16 * THREADS];
shared int row[18 * THREADS], column[32 * THREADS], level[16 * THREADS], queue[16 * THREADS];
int table[64], mine[4096], *list = mine;

static void poison(int with) {
    for (int i = 0; i < L; i++) {
        d[i] = i + 1;
        n[i].value = 3 * i;
        ix[i] = ok[i] = other[i] = cells[i].to = both[i].number = with;
        wide[i] = (long)with * 0x10000001;
        real[i] = with;
    }
    for (int i = 0; i < 3 * L; i++)
        b[i] = i;
    for (int i = 0; i < 64; i++)
        table[i] = i * 7 % 64;
    for (int i = 0; i < 4096; i++)
        mine[i] = with;
    for (int i = 0; i < THREADS; i++) {
        upc_memset(&c8[i], 0xaa, 16 * sizeof(cyclic));
        upc_memset(&c16[i], 0xab, 16 * sizeof(blocked));
        upc_memset(&ci[i], 0x11, 16 * sizeof(indefinite));
        upc_memset(&cn[i], 0, 16 * sizeof(nodes));
        upc_memset(&cpp[i], i % 2 ? 0 : 0xfe, 16 * sizeof(cyclic *));
    }
}

static long numbers(void) {
    long s = 0;
    ix[0] = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ix], [d], with notes of written objects
        if (i % 3)
            s += d[ix[i]];
        ix[i + 1] = 5;
    }
    return s;
}

static long wide_numbers(void) {
    long s = 0;
    wide[0] = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [wide], [d], with notes of written objects
        if (i % 3)
            s += d[wide[i] * 2 + 1];
        wide[i + 1] = 4;
    }
    return s;
}

static long sums(void) {
    long s = 0;
    ix[0] = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ix], [d], with notes of written objects
        if (i % 3) {
            int v = -(ix[i] - 7) + ix[i] * 2;
            s += d[v + 1 - i % 2];
        }
        ix[i + 1] = i % 4;
    }
    return s;
}

static long pointers(void) {
    long s = 0;
    c8[0] = &d[2];
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [c8], [c8 c8], with notes of written objects
        if (i % 3)
            s += *c8[i] + c8[i][i % 2];
        c8[i + 1] = &d[i];
    }
    return s;
}

static long wide_pointers(void) {
    long s = 0;
    c16[0] = &b[2];
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [c16], [c16 c16], with notes of written objects
        if (i % 3)
            s += *c16[i] + *(c16[i] + 2);
        c16[i + 1] = &b[2 * i];
    }
    return s;
}

static long indefinite_pointers(void) {
    long s = 0;
    ci[0] = (indefinite)&d[2];
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ci], [ci], with notes of written objects
        if (i % 3)
            s += *ci[i];
        ci[i + 1] = (indefinite)&d[i];
    }
    return s;
}

static long members(void) {
    long s = 0;
    cn[0] = &n[2];
    cells[0].to = 1;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [cn cells], [cn d], with notes of written objects
        if (i % 3)
            s += cn[i]->value + d[cells[i].to];
        cn[i + 1] = &n[i];
        cells[i + 1].to = i % 5;
    }
    return s;
}

static long pointers_to_pointers(void) {
    long s = 0;
    for (int i = 0; i < L; i++)
        c8[i] = i % 5 ? 0 : &d[i];
    cpp[0] = &c8[5];
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [cpp], [cpp], [cpp], with notes of written objects
        if (i % 3)
            s += **cpp[i];
        cpp[i + 1] = &c8[i / 5 * 5];
    }
    return s;
}

static long divisors(void) {
    long s = 0;
    ix[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ix], [d d], with notes of written objects
        if (i % 3)
            s += d[100 / ix[i] % L] + d[13 % ix[i]];
        ix[i + 1] = 3;
    }
    return s;
}

static long least(int minus) {
    long s = 0;
    ix[0] = -7;
    other[0] = minus;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ix other], [d d], with notes of written objects
        if (i % 3)
            s += d[ix[i] / other[i]] + d[ix[i] % minus];
        ix[i + 1] = -3;
        other[i + 1] = minus;
    }
    return s;
}

static long shifts(void) {
    long s = 0;
    ix[0] = 1;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ix], [d d], with notes of written objects
        if (i % 3)
            s += d[1 << ix[i]] + d[64 >> ix[i]];
        ix[i + 1] = 3;
    }
    return s;
}

static long lengths(void) {
    long s = 0;
    ix[0] = 0;
    ix[1] = 2;
    for (int i = 0; i < L - 2; i++) { //> prefetch: stages [ix ix], [d], with notes of written objects
        for (int k = ix[i]; k < ix[i + 1]; k++) //> prefetch: [d]
            s += d[k % L] + i;
        ix[i + 2] = ix[i + 1] + i % 3;
    }
    return s;
}

static long steps(int by) {
    long s = 0;
    ix[0] = 0;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ix], [d], with notes of written objects
        if (i % 3)
            for (int k = ix[i]; k <= ix[i] + 4; k += by) //> prefetch: [d]
                s += d[k];
        ix[i + 1] = i % 4;
    }
    return s;
}

/* The condition is garbage, but the operands that it guards are not. */
static long decided(void) {
    long s = 0;
    for (int i = 0; i < L; i++) {
        ok[i] = 1;
        other[i] = i % 2 ? 0 : 5;
        ix[i] = i % 2 ? BAD : i;
    }
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [ok], [ix other], [d d], with notes of written objects
        if (ok[i] && i)
            s += d[ix[i]] + d[100 / other[i] % L];
        ok[i + 1] = (i + 1) % 2 == 0;
    }
    return s;
}

static long in_private(int *to) {
    long s = 0;
    to[0] = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [d], up to written objects
        if (i % 3)
            s += d[list[i]];
        to[i + 1] = i % 4;
    }
    return s;
}

static long by_private(void) {
    long s = 0;
    ix[0] = 3;
    for (int i = 0; i < L - 1; i++) {
        if (i % 3) {
            int *p = table + 1;
            s += d[table[ix[i]] % L] + d[p[ix[i]] % 4];
        }
        ix[i + 1] = i % 64 / 2;
    }
    return s;
}

static int quotient(int a) { return 100 / a; }
static int at(shared int *from, int i) { return d[from[i]]; }

static long calls(void) {
    long s = 0;
    ix[0] = 7;
    for (int i = 0; i < L - 1; i++) {
        if (i % 3)
            s += d[quotient(ix[i]) % L] + at(ix, i);
        ix[i + 1] = 9;
    }
    return s;
}

static long reals(void) {
    long s = 0;
    real[0] = 3;
    for (int i = 0; i < L - 1; i++) {
        if (i % 3)
            s += d[(int)real[i]] + (real[i] > 2 ? d[(int)real[i] - 2] : 0);
        real[i + 1] = i % 4;
    }
    return s;
}

/* A graph is searched by a queue, after whose end there is garbage. */
static void graph(int with) {
    for (int v = 0; v <= L; v++)
        row[v] = 2 * v;
    for (int k = 0; k < 2 * L; k++)
        column[k] = k % 2 ? (k / 2 + 1) % L : k * 7 % L;
    for (int v = 0; v < L; v++) {
        level[v] = -1;
        queue[v] = with;
    }
}

static long searched(int root) {
    long s = 0;
    int head = 0, tail = 1;
    queue[0] = root;
    level[root] = 0;
    while (head < L) { //> prefetch: stages [queue], [row row], [column], [level], [level], with notes of written objects
        int v = queue[head++];
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: [level], held [column], up to written objects
            int w = column[k];
            if (level[w] == -1) {
                level[w] = level[v] + 1;
                queue[tail++] = w;
            }
        }
        s = s * 3 % 1000003 + v;
    }
    return s;
}

static long searched_privately(int root) {
    long s = 0;
    int head = 0, tail = 1;
    mine[0] = root;
    level[root] = 0;
    while (head < L) { //> prefetch: stages [row row], [column], [level], [level], with notes of written objects
        int v = list[head++];
        for (int k = row[v]; k < row[v + 1]; k++) { //> prefetch: [level], held [column], up to written objects
            int w = column[k];
            if (level[w] == -1) {
                level[w] = level[v] + 1;
                mine[tail++] = w;
            }
        }
        s = s * 3 % 1000003 + v;
    }
    return s;
}

/* The iteration itself sets the operand. */
static long at_once(void) {
    long s = 0;
    for (int i = 0; i < L; i++) { //> prefetch: stages [ix], [d], with notes of written objects
        ix[i] = i % 7;
        if (i % 3)
            s += d[ix[i]];
    }
    return s;
}

/* Written as a number of another type. */
static long punned(void) {
    long s = 0;
    int four = 4;
    float as;
    __builtin_memcpy(&as, &four, sizeof as);
    both[0].number = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [both], [d], with notes of written objects
        if (i % 3)
            s += d[both[i].number];
        both[i + 1].real = as;
    }
    return s;
}

static long punned_in_parts(void) {
    long s = 0;
    int four = 4;
    float as;
    __builtin_memcpy(&as, &four, sizeof as);
    both[0].number = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: [d], held [both], up to written objects
        s += d[both[i].number];
        both[i + 1].real = as;
    }
    return s;
}

/* Own elements, which need no message. */
static long own(void) {
    long s = 0;
    upc_forall (int i = 0; i < L; i++; &ix[i]) { //> prefetch: stages [ok], [ix other], [d], with notes of written objects
        if (ok[i] == i)
            for (int k = ix[i]; k < ix[i] + other[i]; k++)
                s += d[k % L];
        ix[(i + THREADS) % L] = i;
        other[(i + THREADS) % L] = i % 3;
        ok[(i + THREADS) % L] = (i + THREADS) % L;
    }
    return s;
}

static const int bad[] = {0, -1, BAD, MIN, 0x7fffffff, 1 << 28, -8};

int main(void) {
    for (int k = 0; k < 7; k++) {
        if (MYTHREAD == 0) {
            poison(bad[k]);
            printf("%d %ld ", bad[k], numbers());
            printf("%ld %ld ", wide_numbers(), sums());
            printf("%ld %ld %ld ", pointers(), wide_pointers(), indefinite_pointers());
            printf("%ld %ld ", members(), pointers_to_pointers());
            poison(bad[k]);
            printf("%ld ", divisors());
            poison(bad[k]);
            printf("%ld ", least(-1));
            poison(bad[k]);
            printf("%ld ", shifts());
            poison(bad[k]);
            printf("%ld ", lengths());
            poison(bad[k]);
            printf("%ld %ld ", steps(1), decided());
            printf("%ld ", in_private(mine));
            poison(bad[k]);
            printf("%ld ", by_private());
            poison(bad[k]);
            printf("%ld %ld ", calls(), reals());
            poison(bad[k]);
            printf("%ld %ld ", at_once(), punned());
            poison(bad[k]);
            printf("%ld ", punned_in_parts());
            graph(bad[k]);
            printf("%ld ", searched(1));
            graph(bad[k]);
            poison(bad[k]);
            printf("%ld\n", searched_privately(1));
            poison(bad[k]);
        }
        upc_barrier;
        for (int i = MYTHREAD; i < L; i += THREADS)
            ix[i] = bad[k], other[i] = ok[i] = bad[k];
        if (MYTHREAD < L)
            ix[MYTHREAD] = ok[MYTHREAD] = MYTHREAD, other[MYTHREAD] = 2;
        upc_barrier;
        printf("%d: %ld\n", MYTHREAD, own());
        upc_barrier;
    }
    return 0;
}
