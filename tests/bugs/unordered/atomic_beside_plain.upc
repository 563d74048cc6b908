// running finds: 8: data race on count
#include <upc_relaxed.h>
#include <upc_atomic.h>
shared int count;
int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, 0);
    upc_atomic_relaxed(domain, 0, UPC_INC, &count, 0, 0);
    int seen = count;
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    return seen > THREADS;
}
