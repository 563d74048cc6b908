// Qualifiers that a pointer-to-shared drops: warnings as for other pointers in C (C17 6.5.16.1).
#include <upc.h>
typedef const struct { int a[4]; } fixed;
shared const int *c;
shared volatile int *v;
shared const volatile int *cv;
shared int *p;
shared void *any;
shared fixed *s;
const shared int row[4 * THREADS];
int take(shared int *q) { return *q; }
shared int *give(void) { return c; } //~ WARNING U0632: as the result of this function
void f(void) {
    p = c; //~ WARNING U0632: drops `const`
    p = v; //~ WARNING U0632: drops `volatile`
    p = cv; //~ WARNING U0632: drops `const` and `volatile`
    v = cv; //~ WARNING U0632: drops `const`
    any = c; //~ WARNING U0632
    p = row; //~ WARNING U0632
    take(&row[1]); //~ WARNING U0632: as argument 1 of `take`
    shared [] int *m = s->a; //~ WARNING U0632: in an initialisation
    upc_memput(row, "abc", 4); //~ WARNING U0632
    c = p;
    cv = c;
    cv = v;
    p = (shared int *)c;
    p = 0;
    int got;
    upc_memget(&got, c, 4);
    if (p == c || cv < c)
        take((shared int *)&row[1]);
    (void)m;
}
