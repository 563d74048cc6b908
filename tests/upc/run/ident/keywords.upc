// Every keyword in use; ordinary names that contain them are ordinary names.
//: clause 6.2 p2
//: clause 6.2 p3
//: clause 6.6 p2
#include "../../check.h"

shared int cyclic[THREADS];
strict shared int s;
relaxed shared int r;
int shared_ = 1, strictly = 2, THREADS_ = 3, mythread = 4, upc_barriers = 5, forall = 6, upc = 7, block = 8;
struct upc_names {
    int notify, wait, fence, barrier, threads;
};

int main(void) {
    struct upc_names n = {1, 2, 3, 4, 5};
    upc_fence;
    upc_notify;
    upc_wait;
    upc_barrier;
    upc_forall(int i = 0; i < THREADS; i++; i) cyclic[i] = i;
    CHECK_EQ(cyclic[MYTHREAD], MYTHREAD);
    CHECK_EQ(upc_localsizeof(cyclic), sizeof(int));
    CHECK_EQ(upc_blocksizeof(cyclic), 1);
    CHECK_EQ(upc_elemsizeof(cyclic), sizeof(int));
    CHECK(UPC_MAX_BLOCK_SIZE > 0);
    CHECK_EQ(s + r, 0);
    CHECK_EQ(shared_ + strictly + THREADS_ + mythread + upc_barriers + forall + upc + block, 36);
    CHECK_EQ(n.notify + n.wait + n.fence + n.barrier + n.threads, 15);
    return 0;
}
