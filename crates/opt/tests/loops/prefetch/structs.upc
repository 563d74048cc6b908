/* Structs are read ahead and kept as a whole, even if they are in several pieces or lines of the cache. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 400
struct body { double x, y, m; int number; };
struct small { char part[3]; };
struct wide { int n; double more[30]; };
struct fixed { const int n; int m; };
struct node { shared struct node *next; long key, pad[9]; };
union number { int i; float f; };
struct long_one { int n[80]; };
shared struct body bodies[N * THREADS];
shared [5] struct small smalls[N * THREADS];
shared [3] struct wide wides[N * THREADS];
shared struct fixed fixeds[N * THREADS];
shared struct long_one long_ones[N * THREADS];
shared union number numbers[N * THREADS];
shared struct node nodes[N * THREADS];
shared [] struct body *shared rows[THREADS];
shared int index[N * THREADS], first[N * THREADS];

static void fill(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &bodies[i]) {
        struct body b = {i * 0.5, i % 7, 1 + i % 3, i};
        bodies[i] = b;
        long_ones[i].n[2] = i;
        numbers[i].i = i * 3;
        index[i] = (i * 37 + 11) % (N * THREADS);
        first[i] = i * 5 % (N * THREADS - 9);
        nodes[i].key = i;
        nodes[i].next = i % 13 == 0 ? 0 : &nodes[i * 7 % (N * THREADS)];
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &smalls[i])
        smalls[i].part[1] = i % 100;
    upc_forall (int i = 0; i < N * THREADS; i++; &wides[i]) {
        wides[i].n = i;
        wides[i].more[29] = i * 2;
    }
    rows[MYTHREAD] = (shared [] struct body *)upc_alloc(N * sizeof(struct body));
    for (int i = 0; i < N; i++) {
        struct body b = {i, MYTHREAD, i + MYTHREAD, 2 * i};
        rows[MYTHREAD][i] = b;
    }
    upc_barrier;
}

static double kept(void) {
    double s = 0;
    upc_forall (int i = 0; i < N * THREADS; i += 40; &bodies[i])
        for (int j = 0; j < N * THREADS; j++) { //> prefetch: cached [bodies smalls wides]
            struct body b = bodies[j];
            struct small a = smalls[j];
            struct wide w = wides[j];
            s += b.x * bodies[i].x - b.y + b.m + a.part[1] + w.n + w.more[29];
        }
    for (int t = 0; t < THREADS; t++)
        for (int j = 0; j < N; j++) { //> prefetch: cached [rows], once [rows]
            struct body b;
            b = rows[t][j];
            s = s * 0.75 + b.x + b.m * b.number;
        }
    return s;
}

static double scattered(void) {
    double s = 0;
    struct wide w;
    for (int i = 0; i < N * THREADS; i++) { //> prefetch: [bodies], held [index]
        struct body b = bodies[index[i]];
        s += b.x * b.y - b.m;
    }
    for (int i = 0; i < N * THREADS; i++) { //> prefetch: [wides], held [index]
        w = wides[index[i]];
        s = s * 0.5 + w.n + w.more[29];
    }
    for (int i = 0; i < N * THREADS; i++) { //> prefetch: [numbers], held [index]
        union number u = numbers[index[i]];
        s += u.i;
    }
    for (int i = 0; i < N * THREADS; i++) { //> not prefetch: the loop reads a bit-field
        struct long_one l = long_ones[(long)i * 3 % (N * THREADS)];
        s += l.n[2];
    }
    for (int i = 0; i < N * THREADS; i++) { //> not prefetch: the loop reads a bit-field
        struct fixed f = fixeds[(long)i * 3 % (N * THREADS)];
        s += f.n;
    }
    return s;
}

static double of_rows(void) {
    double s = 0;
    static int to[N];
    for (int i = 0; i < N; i++) //> prefetch: cached [index]
        to[i] = index[i];
    for (int i = 0; i < N - 9; i++) //> prefetch: stages [bodies]
        for (int k = to[i] % 300; k < to[i] % 300 + i % 9; k++) { //> prefetch: [bodies]
            struct body b = bodies[to[k]];
            s += b.x + b.number;
        }
    return s;
}

/* The loop reads its own writes, of a member or the whole. */
static double written(void) {
    double s = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int i = 0; i < N * THREADS - 1; i++) { //> prefetch: [bodies], held [index], up to written objects
            struct body b = bodies[index[i]];
            bodies[(index[i] + 7) % (N * THREADS)].y = b.y + 1;
            s += b.y;
        }
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < N * THREADS - 1; j++) { //> prefetch: cached [wides]
                struct wide w = wides[j];
                w.n = (w.n * 3 + 1) % 1000;
                wides[j + 1] = w;
                s += w.n;
            }
    }
    upc_barrier;
    for (int j = 0; j < N * THREADS; j++) //> prefetch: [bodies wides]
        s = s * 0.5 + bodies[j].y + wides[j].n;
    return s;
}

static long followed(void) {
    long s = 0;
    for (int i = 0; i < N; i++) { //> prefetch: rounds
        shared struct node *p = &nodes[i * 3 % (N * THREADS)];
        for (int n = 0; p && n < 30; n++) {
            struct node at = *p;
            s = s * 3 + at.key;
            p = at.next;
        }
    }
    return s;
}

int main(void) {
    fill();
    double k = kept(), c = scattered(), r = of_rows();
    long f = followed();
    printf("%d: %.6g %.6g %.6g %ld", MYTHREAD, k, c, r, f);
    printf(" %.6g\n", written());
    return 0;
}
