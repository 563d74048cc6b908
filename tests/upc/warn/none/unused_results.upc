// Results that need not be used are dropped without a message.
//: flags -Wall -Wextra
#include <upc.h>
#include <bupc_collectivev.h>
int main(void) {
    int all[64];
    bupc_allv_reduce(int, 1, 0, UPC_ADD);
    bupc_allv_reduce_all(double, 1, UPC_ADD);
    bupc_allv_prefix_reduce(long, 1, UPC_ADD);
    bupc_allv_broadcast(int *, all, 0);
    bupc_allv_scatter(int, 0, all);
    bupc_allv_gather(int, 1, 0, all);
    bupc_allv_gather_all(int, 1, all);
    bupc_allv_permute(int, 1, MYTHREAD);
    return 0;
}
