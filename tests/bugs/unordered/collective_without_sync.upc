// running finds: 8: data race on source
#include <upc_relaxed.h>
#include <upc_collective.h>
shared int source, result[THREADS];
int main(void) {
    if (MYTHREAD == 0)
        source = 5;
    upc_all_broadcast(result, &source, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_barrier;
    return result[MYTHREAD] == 6;
}
