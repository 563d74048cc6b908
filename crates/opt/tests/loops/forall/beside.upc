/* Shared-out loops that step other variables besides their own. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 41

shared int v1[N * THREADS], v2[N * THREADS], sum[N * THREADS];
shared [4] long blocks[N * THREADS], other[N * THREADS];
shared [] int whole[3 * N];
int table[8 * 3 * N];

int main(void) {
    int i, k = 5, order = 0;
    unsigned char narrow = 250;
    shared int *p1 = v1, *p2 = v2;
    long h = 0;
    upc_forall (i = 0; i < N * THREADS; i++, p1++, p2++; i) { //> forall: own rows of [], 1 a block, with other steps
        *p1 = i;
        *p2 = 2 * i + (int)upc_threadof(p2);
    }
    h += (p1 - v1) + 3 * (p2 - v2) + 5 * i;
    upc_barrier;
    p1 = &v1[2];
    p2 = &v2[N * THREADS - 1];
    upc_forall (i = 0; i < N * THREADS - 2; p1++, i++, p2--, k += 3, narrow++; &sum[i]) { //> forall: own rows of [sum]
        sum[i] = *p1 + *p2 + k + narrow;
        order = (order * 7 + i) % 10007;
        if (i % 4 == 1)
            continue;
        sum[i] += (int)upc_threadof(p1);
    }
    h += (p1 - v1) + 3 * (p2 - v2) + 5 * i + 7 * k + narrow + order;
    shared [4] long *b = blocks + 1, *c;
    int *t = table + 2 * (N * THREADS - 1);
    upc_forall (i = N * THREADS - 2; i >= 1; i -= 2, b++, t -= 2; &blocks[i]) { //> forall: own rows of [blocks], 4 a
        blocks[i] = b - blocks + 10 * (t - table);
        table[i] = i;
    }
    h += (b - blocks) + 3 * (t - table) + 5 * i;
    upc_barrier;
    c = &blocks[3];
    shared [] int *w = whole;
    upc_forall (i = 3; i < N; ++i, c += 1, w += 3; &other[i]) //> forall: own rows of [other], 4 a block, with other
        other[i] = *c + (w - whole) + (long)upc_phaseof(c);
    h += (c - blocks) + 3 * (w - whole);
    upc_forall (i = 9; i < 3; i++, k++; i) //> forall: own rows of [], 1 a block, with other steps
        order++;
    h += 11 * k + i + order;
    /* Loops that are left alone. */
    upc_forall (i = 0; i < N * THREADS; i++, k++; i) { //> not forall: the loop steps a variable
        if (k % 5 == 1)
            k++;
        order += k;
    }
    k = 0;
    upc_forall (i = 0; i < N - k; i++, k++; i) //> not forall: the loop steps a variable
        order += k;
    p1 = v1;
    upc_forall (i = 0; i < N / 2; i++, p1++; &p1[i]) //> not forall: the loop steps a pointer that it uses as an array
        p1[0] += 1;
    _Bool flag = 1;
    upc_forall (i = 0; i < N; i++, flag--; i) //> not forall: the loop steps a variable
        order += flag;
    h += flag;
    upc_forall (i = 0; i < N; i++, printf("%s", ""); i) //> not forall: the loop's step is not a
        order++;
    upc_barrier;
    h += order + i + k + (p1 - v1);
    for (i = 0; i < N * THREADS; i++)
        h = (h * 31 + v1[i] + v2[i] * 3 + sum[i] * 5 + blocks[i] * 7 + other[i]) % 1000003;
    for (i = 0; i < 8 * 3 * N; i++)
        h = (h * 31 + table[i]) % 1000003;
    printf("%d: %ld\n", MYTHREAD, h);
    upc_barrier;
    return 0;
}
