//: clause space 5
/* Calls: of the words of the language with too few or too many arguments, of functions on other processors,
 * of objects that are no functions; arguments of old-style functions whose definitions are known. */
#include <split-c/split-c.h>

int *global g, *p, a[PROCS]::, x;
int (*global far)(int);

int old(q, n) int *global q; { return q ? *q + n : 0; }
int older(q) int *q; { return *q; }

int splitc_main() {
    g = toglobal(0); //~ ERROR C0204: `toglobal` with 1 arguments
    g = toglobal(0, p, p); //~ ERROR C0204: `toglobal` with 3 arguments
    x = toproc(); //~ ERROR C0204: `toproc` with 0 arguments
    p = tolocal(g, g); //~ ERROR C0204: `tolocal` with 2 arguments
    far(3); //~ ERROR C0203: called through a global pointer
    atomic(x, g); //~ ERROR C0203: `atomic` runs `int`, which is not a function
    atomic_l(p, g, 3); //~ ERROR C0203: `atomic_l` runs `int *`
    x = old(0, 1) + old(NULL, 1) + old(g, 1) + old((int *global)p, 1);
    x = old(p, 1); //~ ERROR U0612: local pointer
    x = old(5, 1); //~ ERROR U0612: integer
    x = older(p) + older(0);
    x = older(a); //~ ERROR U0618: given for local pointer
    return 0;
}

int main() { //~ ERROR C0201: a program with both `splitc_main` and `main`
    return 0;
}
