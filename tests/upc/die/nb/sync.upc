// A handle that no transfer has returned.
//: clause 7.9.6.2 p2
//: clause 7.9.3 p3
//: expect-err upc_sync: 0x77 is no handle that a transfer of this thread has returned
#include <upc.h>
#include <upc_nb.h>

int main(void) {
    upc_sync((upc_handle_t)0x77);
    return 0;
}
