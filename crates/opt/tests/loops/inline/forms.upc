/* Functions of all forms in the place of their calls: names, conversions, returns, arguments with effects. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 40
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef struct {
    int x, y;
} point;
typedef int num;
shared int a[N * THREADS], b[N * THREADS];
shared[4] double d[N * THREADS];
shared point pts[N * THREADS];
static int global = 3;
struct tag {
    int v;
};
static int sub(int i, int j) { return a[i] * 10 - a[j]; }
static int swapped(int j, int i) { return sub(i, j) + a[j]; }
static int once(int x) { return a[x % N] % N; }
static num local_names(num n) {
    int i = n + 1, s = 0;
    for (int j = 0; j < 3; j++) {
        int n2 = a[i + j];
        s += n2 * j;
    }
    return s;
}
static int uses_global(int i) {
    global += a[i];
    return global;
}
static point mid(point p, int i) {
    point q = pts[i];
    q.x += p.x;
    p.y -= q.y;
    q.y = p.y;
    return q;
}
static int chain(int x) {
    if (a[x] < 5)
        return 1;
    if (a[x] < 10) {
        int t = a[x + 1];
        if (t > 3)
            return t;
        else
            return -t;
    }
    for (int k = 0; k < 4; k++) {
        if (a[x + k] == 20)
            return k + 100;
        if (b[x + k] == 3) {
            int z = k * 2;
            return z + 200;
        }
    }
    if (b[x] > 7) {
        for (int k = 0; k < 2; k++)
            if (a[k] > x)
                return 300 + k;
        return 301;
    }
    while (x < N) {
        x += 3;
        if (a[x % N] % 7 == 0)
            return x;
    }
    return 7;
}
static void early(int i, int *out) {
    if (a[i] % 2)
        return;
    *out += a[i];
    if (*out > 1000) {
        *out -= 1000;
        return;
    }
    *out += 1;
}
static int tag(int tag) {
    struct tag t = {a[tag]};
    return t.v;
}
static int conv(int x) {
    unsigned char c = a[x] * 7;
    return c;
}
static unsigned char narrow(int x) { return a[x] * 70; }
static long widen(short s) { return a[s] * 100000L; }
static double fl(float f) { return f + d[(int)f % N]; }
static shared int *ptr(int i) { return &b[(i * 3) % N]; }
static int deref(shared int *p) {
    p += 2;
    return *p + p[1];
}
static int arr(shared int *p, int i) { return p[i] + p[i + 1]; }
static int sw(int x) {
    int r = 0;
    switch (a[x] % 4) {
    case 0:
        r = 5;
        break;
    case 1:
        r = a[x + 1];
    default:
        r += 2;
    }
    return r;
}
static int ter(int x) { return a[x] > 4 ? b[x] : a[x + 1] ? 2 : 3; }
static int comma(int x) {
    int y;
    return y = a[x], y++, y + x;
}
static int inner_shadow(int x) {
    int r = 0;
    {
        int x = 5;
        r += a[x];
        {
            int r = 9;
            x += r + b[x];
        }
        r += x;
    }
    return r + x;
}
static int even(int n);
static int odd(int n) { return n <= 0 ? a[0] : even(n - 1); }
static int even(int n) { return n <= 0 ? a[1] : odd(n - 1); }
static int noarg(void) { return a[3] + global; }
static int dowhile(int x) {
    do {
        if (b[x] == 2)
            return x;
        x++;
    } while (x < N);
    return -x;
}
static _Bool flag(int x) { return a[x]; }
static const int *constp(int x) {
    static const int t[2] = {1, 2};
    return &t[a[x] & 1];
}
static int unusedp(int x, int unused) { return a[x]; }
int main(void) {
    long h = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i * 7 % 23;
        b[i] = i * 5 % 11;
        pts[i].x = i;
        pts[i].y = -i;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &d[i]) d[i] = i * 0.5;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        int i, j = 2, out = 0, n = 4, x = 1, tag_ = 2;
        int (*fp)(int) = once;
        point p = {1, 2};
        for (i = 0; i < N - 8; i++) {
            h = h * 31 + sub(i, j) + swapped(i, j) + swapped(j, i);
            h += once(once(once(i)));
            h = h * 3 + local_names(n) + local_names(i);
            h += uses_global(i) - global;
            global = uses_global(i) + global;
            p = mid(p, i);
            p = mid(mid(p, i), i + 1);
            h = h * 5 + p.x - p.y + mid(p, 2).x;
            h = h * 7 + chain(i);
            early(i, &out);
            h += out + tag(i % 5) + tag(tag_ % 5);
            h = h * 3 + conv(i) + narrow(i) + widen(i) + (long)fl(i) + (long)fl(i + 0.6);
            *ptr(i) = *ptr(i + 1) + 1;
            ptr(i)[1] += 2;
            h = h * 3 + deref(a) + deref(&a[i]) + arr(a, i) + arr(a + 1, i) + arr(b, x);
            h += sw(i) * 2 + ter(i) + comma(i) + inner_shadow(i) + odd(i % 4) + noarg();
            h = h * 3 + dowhile(i) + flag(i) + *constp(i) + unusedp(i, x++);
            h += fp(i) + MAX(once(i), sub(i, 1));
            h += i & 1 ? once(i) : sub(i, 3);
            h += once(i) && sub(i, 2) > 3;
            if (once(i) > 3 && chain(i) < 5)
                h++;
            else if (sub(i, j) > 0)
                h += 2;
            else
                h += 3;
            switch (once(i)) {
            case 1:
                h += chain(1);
                break;
            case 2: {
                int q = once(3), r = sub(1, 2);
                h += q + r;
            }
            default:
                early(i, &out);
            }
            int k = once(i), l = once(k);
            int m = sub(k, l);
            h = h * 3 + k + l + m;
            int arr2[3] = {once(1), once(2), once(i)};
            h += arr2[0] + arr2[2];
            while (once(j) > 12) {
                j++;
                if (j > 20)
                    break;
            }
            j = (j + once(i)) % 9;
            do {
                n = (n + once(n)) % 5;
            } while (n > 3 && ++tag_ % 3);
            h %= 1000000007L;
            if (i % 3 == 0)
                continue;
            (void)once(i), x = i % 4;
            h += (once(i), sub(i, 0));
            a[i] = once(i) + 1;
            b[once(i)] += sub(i, 1) % 3;
        }
        printf("%ld %d %d\n", h, out, global);
        double s = 0;
        for (i = 0; i < N; i++)
            s = s * 0.5 + a[i] + b[i];
        printf("%.9g\n", s);
    }
    return 0;
}
