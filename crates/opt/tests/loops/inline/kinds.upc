/* Parameters and values of all kinds: pointers of several block sizes, functions, arrays, qualifiers;
   functions after their callers, inline ones, and some whose calls stay. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
typedef enum { LOW, HIGH = 7 } level;
typedef shared[4] int *blocked_ptr;
typedef int (*operation)(int, int);
typedef struct {
    shared int *p;
    blocked_ptr q;
    int v[3];
} holder;
shared int a[N * THREADS];
shared[4] int b[N * THREADS];
shared[] int all[N];
strict shared int flags[N * THREADS];
shared int *shared links[N * THREADS];
shared volatile int vol[N * THREADS];
static int later(int x);
static inline int inlined(shared const int *p, int i) { return p[i] * 2; }
static holder held(int i, holder h) {
    holder r = {&a[i], h.q + 1, {a[i], h.v[1], h.v[2]}};
    return r;
}
static level high(int x) { return a[x] > 9 ? HIGH : LOW; }
static blocked_ptr step(blocked_ptr p, int n) { return *p > 4 ? p + n : p; }
static shared int *cyclic(shared[4] int *p) { return (shared int *)(p + b[1]); }
static int add(int x, int y) { return x + y; }
static int apply(operation f, int i) { return f(a[i], i); }
static int apply_plain(int f(int, int), int i) { return f(a[i], i); }
static int sum(int n, shared int v[], const int w[4]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * w[i % 4];
    return s;
}
static int grid(shared[4] int (*g)[4], int i) { return g[i][1] + g[i][2]; }
static void store(int *restrict to, int *restrict from, shared int *p) { *to = *from + *p; }
static int wait_flag(int i) { return flags[i] + a[i]; }
static int link(int i) { return links[i] ? *links[i] : -1; }
static int read_vol(int i) { return vol[i] + vol[i]; }
static int keep_vol(volatile int x) {
    x += a[x % N];
    return x + x;
}
static int reg(register int x) {
    register int y = a[x];
    return y + x;
}
static const char *text(int i) { return &"abcdefgh"[a[i] % 8]; }
static int on_stack(int i) {
    int *p = __builtin_alloca(sizeof(int) * 2);
    p[1] = a[i];
    return p[1];
}
static int shared_loop(int i) {
    int s = 0;
    upc_forall(int k = 0; k < THREADS; k++; k) s += a[k];
    return s + i;
}
static int jumps(int i) {
    if (a[i] > 4)
        goto end;
    i = 3;
end:
    return i;
}
static int run_time(int n) {
    int w[n + 1];
    w[n] = a[n];
    return w[n] + (int)(sizeof w / sizeof *w);
}
static int statement(int i) {
    return ({
        int t = a[i];
        t * 2;
    });
}
static long double wide(int i) { return a[i] / 4.0L; }
static _Complex double comp(int i) { return a[i] + 1.0i; }
static char to_char(int i) { return a[i] * 100; }
static unsigned bits(int i) {
    struct {
        unsigned low : 3, high : 5;
    } f = {a[i], a[i] >> 3};
    return f.low * 100 + f.high;
}
static int everywhere(int i) { return a[upc_threadof(&a[i])] + (int)upc_phaseof(&b[i]) + MYTHREAD * 0; }

int main(void) {
    upc_forall(int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = (i * 7 + 1) % 23;
        flags[i] = i % 3;
        links[i] = i % 4 ? &a[i / 2] : 0;
        vol[i] = i * 2;
    }
    upc_forall(int i = 0; i < N * THREADS; i++; &b[i]) b[i] = i % 9;
    if (!MYTHREAD)
        for (int i = 0; i < N; i++)
            all[i] = i * i;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        long h = 0;
        holder own = {a, b, {1, 2, 3}};
        int w[4] = {1, -1, 2, 5}, to = 3;
        shared[4] int *p = b;
        for (int i = 0; i < N - 4; i++) {
            own = held(i, own);
            own.q = &b[i];
            h = h * 3 + *own.p + own.v[0] + *held(i, held(i, own)).q;
            h = h * 3 + high(i) + *step(&b[i], 3) + *step(p, 2) + *cyclic(p) + *cyclic(b + i);
            p = step(p, 1);
            h = h * 3 + apply(add, i) + apply_plain(add, i) + later(i);
            h = h * 3 + sum(4, a, w) + sum(3, &a[i], w) + sum(i % 4, a + 1, (int[]){4, 3, 2, 1});
            h += grid((shared[4] int(*)[4])b, i % 3);
            store(&to, &w[i % 4], &a[i]);
            store(w, &to, a);
            w[0] %= 100;
            h = h * 3 + to + wait_flag(i) + link(i) + read_vol(i) + keep_vol(i) + reg(i) + text(i)[0];
            h = h * 3 + on_stack(i) + jumps(i) + run_time(i) + statement(i);
            h = h * 3 + (long)(wide(i) * 4) + (long)__real__ comp(i) + to_char(i) + bits(i) + everywhere(i);
            h += inlined(a, i) + inlined(&a[i], 1);
            h %= 1000000007L;
        }
        printf("%ld %d\n", h, to);
    }
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += shared_loop(i);
    upc_barrier;
    a[MYTHREAD] = s;
    upc_barrier;
    for (int i = 0; !MYTHREAD && i < THREADS; i++)
        printf("%d\n", a[i]);
    return 0;
}
static int later(int x) {
    int h = a[x];
    return h * 3;
}
