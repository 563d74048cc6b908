// Thread 0 waits without having notified the others.
// finds: 9: `upc_notify` is not reached by all threads
#include <upc.h>

shared int n;

int main(void) {
    if (MYTHREAD != 0)
        upc_notify;
    else
        n = 1;
    upc_wait;
    return 0;
}
