#include <upc_relaxed.h>
#include <upc_atomic.h>
shared int count;
int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC | UPC_GET, 0);
    int seen;
    upc_atomic_relaxed(domain, 0, UPC_INC, &count, 0, 0);
    upc_atomic_relaxed(domain, &seen, UPC_GET, &count, 0, 0);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    return seen > THREADS;
}
