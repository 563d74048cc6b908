// Threads make different collective calls. Repaired.
#include <upc.h>
#include <upc_collective.h>

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

shared int parts[THREADS], copies[THREADS];
shared int root;

int main(void) {
    parts[MYTHREAD] = MYTHREAD;
    upc_all_reduceI(&root, parts, UPC_ADD, THREADS, 1, NULL, ALL);
    upc_all_broadcast(copies, &root, sizeof(int), ALL);
    return 0;
}
