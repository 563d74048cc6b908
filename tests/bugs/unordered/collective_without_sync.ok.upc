#include <upc_relaxed.h>
#include <upc_collective.h>
shared int source, result[THREADS];
int main(void) {
    if (MYTHREAD == 0)
        source = 5;
    upc_all_broadcast(result, &source, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return result[MYTHREAD] == 6;
}
