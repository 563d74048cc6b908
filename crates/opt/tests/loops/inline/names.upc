/* Names of a function that its caller hides: variables, typedefs, tags, enumerators, labels and macros. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
#define TWICE(e) ((e) + (e))
shared int a[N * THREADS];
shared[3] int blocked[N * THREADS];
typedef int num;
struct pair {
    int l, r;
};
enum { RED = 2, BLUE = 5 };
static int bias = 7;
static int by_typedef(int x) {
    num t = a[x];
    return (num)(t * 2.9);
}
static int by_tag(int x) {
    struct pair p = {a[x], x};
    return p.l - p.r;
}
static int by_enumerator(int x) { return a[x] * RED + BLUE; }
static int by_static(int x) { return a[x] + bias; }
static int same_names(int i, int s) {
    int r = a[i], i2 = s;
    for (int s = 0; s < 3; s++)
        r += a[s] * i2;
    {
        int i = r;
        r += i;
    }
    return r;
}
static int in_types(int x) {
    long w[sizeof x];
    __typeof__(x) t = a[x];
    w[1] = t;
    return (int)w[1] + (int)sizeof(w) + (int)sizeof(int[3]);
}
static int macro(int x) { return TWICE(a[x]) + TWICE(blocked[x]); }
static int hidden_typedef(int x) {
    typedef short num;
    return (num)(a[x] * 70000) & 0xff;
}
static unsigned long sizes(int n, shared const int p[n]) { return sizeof p[0] + p[n]; }
static int rows(int n, int m, int out[n], const int in[restrict static 2]) {
    out[0] += a[m];
    return out[0] + in[1];
}
static int old(x, y)
int x, y;
{ return a[x] + y; }

int main(void) {
    upc_forall(int i = 0; i < N * THREADS; i++; &a[i]) { a[i] = i * 7 % 23; }
    upc_forall(int i = 0; i < N * THREADS; i++; &blocked[i]) blocked[i] = i * 3 % 11;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        long h = 0;
        int s = 3, r = 4, x = 5;
        for (int i = 0; i < N - 3; i++) {
            h = h * 3 + same_names(i, s) + same_names(r, i);
            h = h * 3 + macro(i) + hidden_typedef(i) + in_types(i);
            {
                double num = 1.5;
                enum { RED = 40 };
                struct pair {
                    char c;
                } p = {1};
                double bias = 0.5;
                h += by_typedef(i) + by_tag(i) + by_enumerator(i) + by_static(i) + p.c + (long)(num + bias);
                h += RED;
            }
            h += by_typedef(x) + by_tag(x) + by_enumerator(x) + by_static(x);
            int out[2] = {i, 1}, in[3] = {1, 2, 3};
            h = h * 5 + rows(2, i, out, in) + rows(1, x, out + 1, in + 1) + out[0] + out[1];
            h += sizes(i, a) + sizes(3, &a[i]) + old(i, x);
            h %= 1000000007L;
        }
        printf("%ld\n", h);
    }
    return 0;
}
