/* Loops read ahead in parts, by nests and in rounds that set, one iteration ahead, the operands of
 * addresses, divisors and bounds. One thread runs them. */
#include <stdio.h>
#include <upc_relaxed.h>
#define L (16 * THREADS)
#define BAD (-0x7ffffff0)
struct node { int key; shared struct node *next; };
shared int d[16 * THREADS], ix[16 * THREADS];
shared struct node n[16 * THREADS];
typedef shared struct node *nodes;
shared nodes first[16 * THREADS];
int mine[4096], table[64], *list = mine;
double real[64];

static void poison(int with) {
    for (int i = 0; i < L; i++) {
        d[i] = i + 1;
        ix[i] = with;
        n[i].key = i;
        n[i].next = i % 5 == 4 ? 0 : &n[(i + 1) % L];
        first[i] = 0;
    }
    for (int i = 0; i < 64; i++) {
        table[i] = i * 7 % 64;
        real[i] = i;
    }
    for (int i = 0; i < 4096; i++)
        mine[i] = with;
}

/* A variable of the iteration is computed from an operand that is set ahead. */
static long quotients(int *to) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: [d], up to written objects
        int q = 100 / list[i];
        s += d[q % L];
        to[i + 1] = 9;
    }
    return s;
}

static long shared_quotients(shared int *to) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: [d], held [ix], up to written objects
        int q = 100 / ix[i];
        s += d[q % L];
        to[i + 1] = 9;
    }
    return s;
}

static long looked_up(int *to) {
    long s = 0;
    to[0] = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: [d], up to written objects
        int q = table[list[i]];
        s += d[q % L];
        to[i + 1] = i % 64;
    }
    return s;
}

static long looked_up_shared(shared int *to) {
    long s = 0;
    to[0] = 3;
    for (int i = 0; i < L - 1; i++) { //> prefetch: [d], held [ix], up to written objects
        int q = table[ix[i]];
        s += d[q % L];
        to[i + 1] = i % 64;
    }
    return s;
}

/* The held reads' addresses have no quotient, and another address has one. */
static long beside(int *to) {
    long s = 0;
    for (int i = 0; i < L; i++)
        ix[i] = i % 4;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: [d], held [ix], up to written objects
        int q = 100 / list[i];
        s += d[ix[i] + q % 4];
        to[i + 1] = 9;
    }
    return s;
}

/* Rows whose ends, or operands of these, are set ahead. */
static long rows(int *to) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [d], up to written objects
        int q = 30 / list[i];
        for (int k = q; k < q + list[i] - 2; k++) //> prefetch: [d]
            s += d[(k + i) % L];
        to[i + 1] = 3 + i % 9;
    }
    return s;
}

static long in_rows(int *to) {
    long s = 0;
    for (int k = 0; k < 3; k++)
        to[k] = k + 1;
    for (int i = 0; i < L - 1; i++) { //> prefetch: stages [d], up to written objects
        for (int k = 0; k < 3; k++) { //> prefetch: [d], up to written objects
            int q = 10 / list[3 * i + k];
            s += d[q];
            to[3 * i + k + 3] = 2 + i % 3;
        }
    }
    return s;
}

/* Chains: their beginnings, their links, and their ends. */
static long chains(shared int *to) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: rounds
        shared struct node *p = &n[100 / ix[i] % L];
        while (p && p->key % 7 != 6 % ix[i])
            p = p->next;
        s += p ? p->key : i;
        to[i + 1] = 3 + i % 5;
    }
    return s;
}

static long begun(void) {
    long s = 0;
    first[0] = &n[1];
    for (int i = 0; i < L - 1; i++) { //> prefetch: rounds
        shared struct node *p = first[i];
        while (p->next && p->key % 3)
            p = p->next;
        s += p->key;
        first[i + 1] = &n[i];
    }
    return s;
}

/* Reads of private memory: the iteration does them in any case, but never at garbage addresses. */
static long private_chains(shared int *to) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: cached [ix]
        s += table[ix[i]];
        shared struct node *p = &n[table[ix[i]] % L];
        while (p && p->key % 7 != 3)
            p = p->next;
        s += p ? p->key : i;
        to[i + 1] = i % 64;
    }
    return s;
}

static long real_chains(shared int *to) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) {
        shared struct node *p = &n[i];
        while (p && (double)p->key * 0.5 != real[ix[i] & 63])
            p = p->next;
        s += p ? p->key : i;
        to[i + 1] = i % 64;
    }
    return s;
}

static long by_least(shared int *to, int minus) {
    long s = 0;
    to[0] = 7;
    for (int i = 0; i < L - 1; i++) { //> prefetch: rounds
        shared struct node *p = &n[i];
        while (p && p->key % 7 != ix[i] / minus + 3)
            p = p->next;
        s += p ? p->key : i;
        to[i + 1] = -(i % 3);
    }
    return s;
}

static const int bad[] = {0, -1, BAD, -0x7fffffff - 1, 0x7fffffff, 1 << 28, -8};

int main(void) {
    if (MYTHREAD == 0)
        for (int k = 0; k < 7; k++) {
            poison(bad[k]);
            printf("%d %ld ", bad[k], quotients(mine));
            poison(bad[k]);
            printf("%ld ", shared_quotients(ix));
            poison(bad[k]);
            printf("%ld ", looked_up(mine));
            poison(bad[k]);
            printf("%ld ", looked_up_shared(ix));
            poison(bad[k]);
            printf("%ld ", beside(mine));
            poison(bad[k]);
            printf("%ld ", rows(mine));
            poison(bad[k]);
            printf("%ld ", in_rows(mine));
            poison(bad[k]);
            printf("%ld ", chains(ix));
            poison(bad[k]);
            printf("%ld ", begun());
            poison(bad[k]);
            printf("%ld ", private_chains(ix));
            poison(bad[k]);
            printf("%ld ", real_chains(ix));
            poison(bad[k]);
            printf("%ld\n", by_least(ix, -1));
        }
    return 0;
}
