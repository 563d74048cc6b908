// Anonymous structs inside anonymous structs, and pointers to them; _Generic and __builtin_choose_expr of
// shared lvalues.
#include <upc.h>
shared struct { struct { int x; struct { char c[3]; } deep; } in[3]; struct { int y; }; shared int *p; } s[THREADS];
shared int x = 5;
int f(int i) { return (&s[MYTHREAD].in[1])[i].x + s[MYTHREAD].y; }
int g(void) { return __builtin_choose_expr(1, x, 3) + _Generic(0, int: x) + (&s[0].in[1].deep + 0)->c[1]; }
int main(void) { s[MYTHREAD].in[2].x = 3; s[MYTHREAD].y = 4; return f(1) - 7 + g() - 10; }
