// What must be constant and is not.
#include <upc.h>
int n;
shared int s;
int a = n;           //~ ERROR
int b[n];            //~ ERROR
enum { E = n };      //~ ERROR
struct t {
    int f : n;       //~ ERROR
};
int c = s;           //~ ERROR
int d = MYTHREAD;    //~ ERROR
_Static_assert(1 == 2, "told"); //~ ERROR told
