// Columns: counted in characters, after tabs, beyond multi-byte text, through macros at their use.
#include <upc.h>
#define READ(x) ((x) + 1)
#define TWICE(x) READ(x) * 2
shared int a;
int f(void) {
    int n = gone;                     //~ ERROR:13 C0200
	n = a + away;                     //~ ERROR:10 C0200
    const char *s = "äöü€"; missing; //~ ERROR:29 C0200
    n = 1 + READ(lost);               //~ ERROR:18 C0200
    n = TWICE(nowhere) + READ(a);     //~ ERROR:15 C0200
    return READ(n) +
           far;                       //~ ERROR:12 C0200
}
void g(int x, shared int y);          //~ ERROR U0613
