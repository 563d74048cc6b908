// A collective operation inside a upc_forall is undefined, and warned of.
//: clause 6.6.2 p13
#include <upc.h>
void f(void) {
    int i;
    upc_forall(i = 0; i < 10; i++; i) {
        upc_barrier; //~ WARNING U0621
    }
    upc_forall(i = 0; i < 10; i++; i) {
        upc_notify; //~ WARNING U0621
        upc_wait;   //~ WARNING U0621
    }
    upc_forall(i = 0; i < 10; i++; i) {
        shared void *p = upc_all_alloc(1, 1); //~ WARNING U0621
        upc_free(p);
        upc_fence;
    }
}
