// Expressions that must be constant and are not.
#include <upc.h>
int n;
shared int s;
int a = n;           //~ ERROR C0209
int b[n];            //~ ERROR C0209
enum { E = n };      //~ ERROR C0209
struct t {
    int f : n;       //~ ERROR C0209
};
int c = s;           //~ ERROR C0209
int d = MYTHREAD;    //~ ERROR C0209
_Static_assert(1 == 2, "told"); //~ ERROR C0212: told
