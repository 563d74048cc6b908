// perm that names a thread twice.
//: clause 7.4.2.6 p4
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_permute at 
//: expect-err not_a_permutation.upc:13: perm[0] and perm[1] are both 1
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
shared int perm[THREADS];
int main(void) {
    perm[MYTHREAD] = 1;
    upc_all_permute(dst, src, perm, 16, 0);
    return 0;
}
