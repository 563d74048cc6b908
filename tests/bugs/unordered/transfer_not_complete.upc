// running finds: 9: data race on box[
#include <upc_relaxed.h>
#include <upc_nb.h>
shared [16] int box[16 * THREADS];
int main(void) {
    static int data[16];
    upc_handle_t handle = upc_memput_nb(&box[16 * ((MYTHREAD + 1) % THREADS)], data, sizeof data);
    upc_barrier;
    int got = box[16 * MYTHREAD + 3];
    upc_sync(handle);
    upc_barrier;
    return got != 0;
}
