/* The values that may be operands of addresses, steps and conditions: those that are the same before the
   iteration as in it. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 400
shared int a[N * THREADS];
shared struct pair { int n, m[2]; struct { int x, y; } in; } r[N * THREADS];
shared [] int table[4];
shared [] int *shared where;
int k[N], grid[4][N], steady = 2;
short narrow[N];
float f[N];
struct priv { int at, in[3]; } one = {5, {1, 2, 3}}, *to = &one;
int *q = k;

int main(void) {
    long x = 0;
    int i, n = 3, by = 1, half = N / 2;
    volatile int noisy = 1;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i % 23;
        r[i].n = i;
        r[i].m[0] = r[i].m[1] = i % 7;
        r[i].in.x = r[i].in.y = i % 5;
    }
    for (i = 0; i < N; i++) {
        k[i] = grid[1][i] = (i * 7) % N;
        narrow[i] = i;
        grid[2][i] = i / 2;
    }
    if (MYTHREAD == 0) {
        for (i = 0; i < 4; i++)
            table[i] = i;
        where = (shared [] int *)upc_alloc(N * sizeof(int));
        for (i = 0; i < N; i++) //> prefetch: once [where]
            where[i] = i;
    }
    upc_barrier;

    /* Subscripts. */
    for (i = 0; i < half; i++) //> prefetch: [a a], cached [a]
        x += a[(i)] + a[+i + !n] + a[(int)(2 * (long)i)];
    for (i = 0; i < half; i++) //> prefetch: [a a]
        x += a[~i + half + 1] ^ a[-i + N - 1];
    for (i = 0; i < half; i++) //> prefetch: [a a]
        x += a[n ? i : n] + a[(i > 2) * i];
    for (i = 0; i < half; i++) //> prefetch: [a a]
        x += a[k[i]] - a[grid[1][i]];
    for (i = 0; i < half; i++) //> prefetch: [a a a]
        x += a[i + one.at] + a[to->in[1] + i] + a[*q + i];
    for (i = 0; i < half; i++) //> prefetch: [a a]
        x += a[(i + MYTHREAD) % N] + a[i + THREADS - THREADS + 'b' - 'a'];
    for (i = 0; i < half; i++) //> prefetch: cached [i]
        x += i[a];
    for (i = 0; i < half; i++) //> prefetch: [a]
        x += *(a + i);
    for (i = 0; i < half; i++) //> prefetch: [r r r]
        x += r[i].n + r[i].m[1] + (r[i].in).x;
    for (i = 0; i < half; i++) //> prefetch: [r]
        x += (r + i)->in.y;
    for (i = 0; i < half; i++) //> prefetch: cached [a], once [table]
        x += a[i] + table[3];
    for (i = 0; i < half; i++) //> prefetch: [where], once [where]
        x += where[i];
    for (i = 0; i < half; i++) //> prefetch: [a]
        x += a[a[i]];
    for (i = 0; i < half; i++) //> not prefetch: the address of an
        x += a[(n = 3, i)];
    for (i = 0; i < half; i++) //> not prefetch: the address of an
        x += a[n++ % 5 + i];
    for (i = 0; i < half; i++) { //> not prefetch: the address of an
        x += a[i + n];
        n = i % 3;
    }
    for (i = 0; i < half; i++) { //> prefetch: [a]
        int inner = i + 1;
        x += a[inner];
    }
    for (i = 0; i < half; i++) { //> prefetch: [a], up to written objects
        x += a[i + one.at];
        to->at = i % 4;
    }
    for (i = 0; i < half; i++) { //> prefetch: [a], up to written objects
        x += a[grid[2][i + 1]];
        grid[2][i + 2] = i % 9;
    }

    /* Other writes: other arrays and other types leave the subscripts unchanged. */
    for (i = 0; i < half; i++) { //> prefetch: [a]
        x += a[k[i]];
        grid[3][i] = i;
    }
    for (i = 0; i < half; i++) { //> prefetch: [a]
        x += a[*q + i];
        narrow[i] = i;
    }
    for (i = 0; i < half; i++) { //> prefetch: [a]
        x += a[to->at + i];
        f[i] += 1;
    }
    for (i = 0; i < half; i++) { //> prefetch: [a]
        x += a[i + n];
        k[i]++;
    }
    for (i = 0; i < half; i++) { //> prefetch: [a], up to written objects
        x += a[*q % N + i % 2];
        k[0] += 1;
    }
    for (i = 0; i < half; i++) { //> not prefetch: the address of an
        x += a[i + steady];
        *q = (i & 1) + 1;
        q = q == k ? &steady : k;
    }
    q = k;

    /* Steps and conditions. */
    for (i = 0; i < half - 3 && i < N; i += n - 1 + 1) { //> prefetch: [a]
        x += a[i];
    }
    for (i = 0; !(i > half); i += (long)by) //> prefetch: [a]
        x += a[i];
    for (i = half; i; i -= by) //> prefetch: [a]
        x += a[i];
    for (i = 0; i < half; i += by + by) //> prefetch: [a]
        x += a[i];
    for (i = 1; i < half; i += i) //> not prefetch: the loop's step may change
        x += a[i];
    for (i = 0; i < half; i += noisy) //> not prefetch: the loop's step may change
        x += a[i];
    for (i = 0; i < half; i += *q / *q) //> prefetch: [a]
        x += a[i];
    for (i = 0; i < k[3]; i++) //> prefetch: [a]
        x += a[i];
    for (i = 0; i < half; i += *q / *q) { //> not prefetch: the loop's step may change
        x += a[i];
        k[i % 2] += 0;
    }
    for (i = 0; i < k[3]; i++) { //> not prefetch: the loop's condition reads objects that may change
        x += a[i];
        k[i % 4] += 0;
    }
    for (i = 0; i < table[3]; i++) //> prefetch: [a]
        x += a[i];
    for (i = 0; (x++, i < half); i++) //> not prefetch: the loop's condition reads objects that may change
        x += a[i];
    for (i = 0; i < half && a[i] < 99; i++) //> not prefetch: the loop's condition reads objects that may change
        x += a[i];
    for (i = 0; i < half; i *= 2, i++) //> not prefetch: the loop's step has an unknown form
        x += a[i];
    for (i = 0; i < half; i++) { //> not prefetch: the loop's condition reads objects that may change
        x += a[i];
        half -= i & 1;
    }
    printf("%ld %d\n", x, n);
    upc_barrier;
    return 0;
}
