//: clause bulk 5
//: clause library 11
// The library's functions called with wrong arguments.
#include <split-c/split-c.h>
#include <split-c/control.h>
int x, *l;
int *global g;
char buffer[8];
struct pair { int a, b; } pair_of(int *);
long double wide(int *);
void f(void) {
    sync(3); //~ ERROR C0204: takes 0 arguments
    store_sync(); //~ ERROR C0204: takes 1 argument
    all_store_sync(4); //~ ERROR C0204: takes 0 arguments
    barrier(g); //~ ERROR C0204: takes 0 arguments
    bulk_read(buffer, buffer, 8); //~ ERROR U0612: given for global pointer
    bulk_get(g, g, 8); //~ ERROR U0618: given for local pointer
    bulk_put(buffer, l, 8); //~ ERROR U0612: given for global pointer
    bulk_put(g, g, 8); //~ ERROR U0618: given for local pointer
    bulk_store(g, l, 4);
    x = toproc(3); //~ ERROR C0205: `toproc` of
    all_spread_free(l); //~ ERROR U0612: given for spread pointer
    fetch_and_add(&x, 1); //~ ERROR U0612: given for global pointer
    atomic(f, &x, 1); //~ ERROR U0612: as argument 2 of `atomic`
    atomic(pair_of, g); //~ ERROR C0207: `atomic` runs a function that returns
    atomic_l(wide, g); //~ ERROR C0207: `atomic_l` runs a function that returns `long double`
}
