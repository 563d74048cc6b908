// A pointer-to-shared that has no value on any path to its use; one that may have one is left alone.
#include <upc_relaxed.h>
#include <stddef.h>
shared int x[THREADS];
shared [2] int y[2 * THREADS];
int given(shared int **p);
int straight(void) {
    shared int *p;
    p[0] = 1; //~ WARNING U0633: `p` is used before it has a value
    return p[0];
}
int phased(int n) {
    shared [2] int *q, *r;
    if (n)
        n = *q; //~ WARNING U0633
    return n + (n && *r); //~ WARNING U0633
}
int stepped(void) {
    shared int *p;
    p++; //~ WARNING U0633
    return p == NULL;
}
int in_loop(int n) {
    shared int *p;
    int sum = 0;
    while (n--)
        sum += *p; //~ WARNING U0633
    return sum;
}
int may_have_one(int n) {
    shared int *p, *q, *r, *s, *t = x;
    (void)p;
    if (n)
        p = x;
    for (int i = 0; i < n; i++) {
        if (i)
            n += *q;
        q = x;
    }
    for (shared int *u, *v = x; n; u++, n--)
        u = v;
    r = x;
    given(&s);
    n ? (t = x) : (t = r);
    return p[0] + *q + *r + *s + *t + (int)sizeof(*p);
}
int by_label(int n) {
    shared int *p;
again:
    if (n)
        return *p;
    p = x;
    n = 1;
    goto again;
}
int by_switch(int n) {
    shared [2] int *p;
    switch (n) {
    case 0:
        p = y;
        break;
    default:
        p = y + 1;
    }
    return *p;
}
