//: clause access 7
// Wrong uses of sync() in straight-line code: results of := that are used before it, or never awaited.
#include <split-c/split-c.h>
#include <stdio.h>
struct two {
    int a, b;
};
int *global g;
struct two *global h;
int kept[4];
void other(void);
int use(int x) { return x; }

int before(void) {
    int x, y, z;
    x := *g;
    y = x + 1; //~ WARNING S0706: used before `sync()`
    z := *g;
    if (z) //~ WARNING S0706: used before `sync()`
        y++;
    x := *g;
    printf("%d\n", x); //~ WARNING S0706: used before `sync()`
    x := *g;
    x = 3; //~ WARNING S0706: used before `sync()`
    x := *g;
    use(x); //~ WARNING S0706: used before `sync()`
    x := *g;
    barrier();
    return x + y; //~ WARNING S0706: used before `sync()`
}
void members(void) {
    struct two s, t;
    s.a := h->a;
    t.b = s.b;
    t.a = s.a; //~ WARNING S0706: used before `sync()`
    s := *h;
    t.a = s.b; //~ WARNING S0706: used before `sync()`
    t.b := h->b;
    s = t; //~ WARNING S0706: used before `sync()`
}
void loops(int n) {
    int x, i, s = 0;
    for (i = 0; i < n; i++) {
        x := g[i];
        s += x; //~ WARNING S0706: used before `sync()`
    }
    sync();
}
void left(void) {
    int x;
    x := *g; //~ WARNING S0706: outstanding when the function ends
}
int left_by_return(int n, int parameter) {
    int x, y, z;
    x := *g; //~ WARNING S0706: outstanding when the function ends
    if (n == 1)
        return 1;
    parameter := *g; //~ WARNING S0706: outstanding when the function ends
    y := *g; //~ WARNING S0706: outstanding when the function ends
    if (n == 2) {
        sync();
        return 2;
    }
    if (n == 3)
        z := *g; //~ WARNING S0706: outstanding when the function ends
    else
        return n;
    return 0;
}
int on_both_ways(int n) {
    int x, y;
    x := *g;
    y := *g;
    if (n)
        barrier();
    else
        n += x; //~ WARNING S0706: used before `sync()`
    while (n--) {
        x := *g; //~ WARNING S0706: outstanding when the function ends
        if (n == 3)
            return 3;
        sync();
    }
    y := *g;
    if (n)
        n++;
    n = y; //~ WARNING S0706: used before `sync()`
    return 0;
}
void names(void) {
    sync; //~ WARNING S0706: named, but not called
    barrier; //~ WARNING S0706: named, but not called
    is_sync(); //~ WARNING S0706: not used
}
int good(int n) {
    int x, y, *p = &x, a[4];
    static int late;
    x := *g;
    sync();
    y = x;
    x := *g;
    other();
    y += x;
    x := *g;
    p = &x;
    while (!is_sync())
        ;
    y += x + *p;
    a[0] := *g;
    a[1] = 3;
    kept[1] := *g;
    *g := y;
    y = 4;
    late := *g;
    if (n) {
        x := *g;
        sync();
    }
    x := *g;
    if (is_sync())
        y += x;
    if (n)
        sync();
    else
        other();
    y += x;
    x := *g;
    if (n)
        goto out;
    sync();
    y += x;
out:
    sync();
    x := *g;
    switch (n) {
    case 1:
        sync();
        return x;
    default:
        sync();
    }
    for (n = 0; n < 4; n++)
        a[n] := g[n];
    sync();
    return a[2] + sizeof(x);
}
