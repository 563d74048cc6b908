//: clause access 1
// The value of a pointer that is stepped in memory of another processor may be used.
#include <split-c/split-c.h>
struct s {
    int *global p;
    int k;
};
int values[4];
struct s place;
splitc_main() {
    struct s *global g = toglobal(MYPROC, &place);
    g->p = toglobal(MYPROC, values);
    if (g->p++ == NULL || ++g->p == NULL || g->p-- == NULL)
        return 1;
    *g->p++ = 5;
    return (*g->p)++ + g->k++ + (g->p - toglobal(MYPROC, values)) - 2;
}
