// Shared objects of incomplete type, of function type, of void.
//: clause 7.2.4.1 p2
#include <upc.h>
struct unknown;
shared struct unknown s;      //~ ERROR C0208
shared void v;                //~ ERROR C0208
upc_lock_t lock;              //~ ERROR C0208: declare a pointer, `upc_lock_t *`: `upc_all_lock_alloc` makes
shared upc_lock_t locks[THREADS]; //~ ERROR C0208: declare a pointer
upc_lock_t *fine;
void automatic(void) {
    upc_lock_t l; //~ ERROR C0208: declare a pointer
    upc_lock(&l);
}
