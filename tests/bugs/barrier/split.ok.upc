// Thread 0 waits without having notified the others. Repaired.
#include <upc.h>

shared int n;

int main(void) {
    if (MYTHREAD != 0)
        upc_notify;
    else {
        n = 1;
        upc_notify;
    }
    upc_wait;
    return 0;
}
