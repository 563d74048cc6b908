// Specifiers that do not go together, bad declarators.
#include <upc.h>
long char c;             //~ ERROR C0102
short double d;          //~ ERROR C0102
int a[-1];               //~ ERROR C0211
int b[2.5];              //~ ERROR C0211
int f(void)[3];          //~ ERROR C0211
int (g[3])(void);        //~ ERROR C0208
void v;                  //~ ERROR C0208
struct s {
    struct s inner;      //~ ERROR C0208
};
int h(void) { return break_is_missing; } //~ ERROR C0200
