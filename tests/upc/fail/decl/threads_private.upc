// In the dynamic environment THREADS is no constant: no bounds of static private arrays, cases, enumerators.
//: clause 6.3.1 p1
//: mode dynamic
#include <upc.h>
int a[THREADS];             //~ ERROR C0209
enum { N = THREADS };       //~ ERROR C0209
int b = 5 + THREADS;        //~ ERROR C0209
struct s {
    int bits : THREADS;     //~ ERROR C0209
    int array[THREADS];     //~ ERROR C0209
};
void f(int n) {
    static int c[THREADS];  //~ ERROR C0209
    int fine[THREADS];
    switch (n) {
    case THREADS: break;    //~ ERROR C0209
    }
}
