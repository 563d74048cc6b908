// perm that names no thread; found without MERIDIAN_CHECK too.
//: clause 7.4.2.6 p4
//: threads 1 2 4
//: expect-err upc_all_permute: perm[0] is -1, but has to be a thread, 0 to
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
shared int perm[THREADS];
int main(void) {
    perm[MYTHREAD] = MYTHREAD - 1;
    upc_all_permute(dst, src, perm, 16, 0);
    return 0;
}
