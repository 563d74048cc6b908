// An error inside a macro is reported at the line of its use.
#include <upc.h>
#define ASSIGN(p, v) (*(p) = (v))
#define OUTER(p) ASSIGN(p, 2.0)
shared int x;
struct s {
    int m;
} st;
void f(void) {
    ASSIGN(&x, 1);
    ASSIGN(&x, st); //~ ERROR C0207
    OUTER(&st);     //~ ERROR C0207
    OUTER(&missing); //~ ERROR C0200
}
