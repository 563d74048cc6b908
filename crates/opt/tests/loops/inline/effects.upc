/* Calls whose order and number count: effects in arguments, calls in arguments, recursion, short circuits. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
shared int a[N * THREADS], b[N * THREADS];
static int count;
static int get(int x) { return a[x % N]; }
static int put(int x, int v) {
    int old = b[x % N];
    b[x % N] = v;
    return old;
}
static int twice(int x) { return get(x) + get(x + 1); }
static int thrice(int x) { return twice(get(x)) + get(twice(x)); }
static int down(int n) { return n <= 0 ? a[0] : a[n % N] + down(n - 2); }
static int counts(int x) {
    count++;
    return a[x % N] + count;
}
static void swap(int i, int j) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
}
static void nothing(int x) { a[x]; }
static int changes(int x) {
    x += a[x % N];
    for (; x > 5; x /= 2)
        if (a[x % N] & 1)
            return x;
    return -x;
}
static int several(int n, ...) { return a[n]; }
static int kept(int x) {
    static int last;
    last += a[x];
    return last;
}
static int named(int x) { return a[x] + __func__[0]; }
static int address(int x) {
    int *p = &x;
    *p += a[x];
    return x;
}
static int through(int x) {
    int s = 0, *p = &x;
    for (int k = 0; k < 4; k++) {
        s = s * 3 + a[x];
        *p += 2;
    }
    return s;
}

int main(void) {
    upc_forall(int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = (i * 7 + 1) % 23;
        b[i] = i * 5 % 11;
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        long h = 0;
        int x = 1, y = 2;
        for (int i = 0; i < N - 2; i++) {
            h = h * 3 + get(get(get(i))) + get(put(i, get(i)));
            h += put(i, put(i + 1, put(i + 2, i)));
            h = h * 3 + thrice(i) + down(i % 6);
            h += get(x++) + x;
            h = h * 3 + (i & 1 ? counts(i) : counts(i + 1)) + count;
            h += (i & 2 && counts(i)) + (i & 4 || counts(x)) + count;
            h = h * 3 + (counts(x), counts(y)) + count;
            if (counts(i) > 9 && counts(i) < 30)
                swap(i, (i + 3) % N);
            else if (get(i) > 3)
                swap(i % 5, i % 7);
            nothing(i), nothing(x % N);
            x = get(x), y = get(y) + x;
            h = h * 3 + changes(i + x) + several(i, x, y) + kept(i) + named(i) + address(i) + through(i % 9);
            int z = get(i), w = get(z);
            int v = get(w);
            int u = v ? get(v) : put(1, 2);
            h += z + w + v + u;
            y = (y + put(y, y)) % N;
            a[get(i) % N] = get(i + 1);
            b[i] += get(i) % 3;
            int most = 9;
            do
                h += get(x);
            while ((x = (x + 1 + get(x)) % N) > 12 && --most);
            for (int k = get(i) % 4; k < get(i + 1) % 9; k += 1 + get(k) % 2)
                h += get(k);
            h %= 1000000007L;
        }
        printf("%ld %d %d %d\n", h, x, y, count);
        for (int i = 0; i < N; i++)
            printf("%d %d\n", a[i], b[i]);
    }
    return 0;
}
