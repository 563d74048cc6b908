// Specifiers that do not go together, bad declarators.
#include <upc.h>
long char c;             //~ ERROR
short double d;          //~ ERROR
int a[-1];               //~ ERROR
int b[2.5];              //~ ERROR
int f(void)[3];          //~ ERROR
int (g[3])(void);        //~ ERROR
void v;                  //~ ERROR
struct s {
    struct s inner;      //~ ERROR
};
int h(void) { return break_is_missing; } //~ ERROR C0200
