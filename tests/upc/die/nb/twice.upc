// A handle of a transfer that was under way is valid for one completion.
//: clause 7.9.3 p5
//: threads 2 3
//: mode dynamic
//: env MERIDIAN_REFERENCE=1
//: expect-err and not yet completed (UPC 7.9.3)
#include <upc_relaxed.h>
#include <upc_nb.h>

shared [64] char there[64 * THREADS];

int main(void) {
    char here[64] = "";
    upc_handle_t handle = upc_memput_nb(&there[64 * ((MYTHREAD + 1) % THREADS)], here, 64);
    upc_sync(handle);
    upc_sync(handle);
    return 0;
}
