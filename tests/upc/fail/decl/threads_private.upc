// In the dynamic environment THREADS is no constant: no bounds of static private arrays, cases, enumerators.
//: clause 6.3.1 p1
//: mode dynamic
#include <upc.h>
int a[THREADS];             //~ ERROR
enum { N = THREADS };       //~ ERROR
int b = 5 + THREADS;        //~ ERROR
struct s {
    int bits : THREADS;     //~ ERROR
    int array[THREADS];     //~ ERROR
};
void f(int n) {
    static int c[THREADS];  //~ ERROR
    int fine[THREADS];
    switch (n) {
    case THREADS: break;    //~ ERROR
    }
}
