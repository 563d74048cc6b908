// Declarations of one name that do not agree: block size, shared or not, element type.
//: clause 6.5.1.1 p13
#include <upc.h>
extern shared[2] int a[2 * THREADS];
shared[3] int a[2 * THREADS]; //~ ERROR C0201
extern int b;
shared int b;                 //~ ERROR C0201
shared double c;
shared int c;                 //~ ERROR C0201
void f(shared int *p);
void f(shared[4] int *p);     //~ ERROR C0201
shared void *g(void);
void *g(void);                //~ ERROR C0201
