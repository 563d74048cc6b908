// The affinity is a pointer-to-shared or an integer.
//: clause 6.6.2 p4
#include <upc.h>
int local[10];
shared struct s {
    int x;
} st[THREADS];
void f(void) {
    int i;
    upc_forall(i = 0; i < 4; i++; 2.5) {}        //~ ERROR U0616
    upc_forall(i = 0; i < 4; i++; &local[i]) {}  //~ ERROR U0616
    upc_forall(i = 0; i < 4; i++; st[i]) {}      //~ ERROR U0616
    upc_forall(i = 0; i < 4; i++; f()) {}        //~ ERROR U0616
    upc_forall(i = 0; i < 4; i++; &st[i]) {}
    upc_forall(i = 0; i < 4; i++; i + 1L) {}
}
