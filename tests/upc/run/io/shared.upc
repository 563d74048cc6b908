// Shared buffers of all block sizes, from every thread, by common and by individual file pointers, short and
// long; the phase of the pointer does not matter.
//: clause 7.8 p8
//: clause 7.8 p9
//: clause 7.8 p11
//: clause 7.8.1.1 p1
//: clause 7.8.1.3 p2
//: clause 7.8.1.3 p3
//: clause 7.8.3 p2
//: clause 7.8.3 p3
//: clause 7.8.4.2 p1
//: clause 7.8.4.2 p2
//: clause 7.8.4.2 p3
//: clause 7.8.4.2 p4
//: clause 7.8.4.2 p5
//: clause 7.8.4.2 p6
//: clause 7.8.4.2 p8
//: clause 7.8.5.2 p1
//: clause 7.8.5.2 p2
//: clause 7.8.5.2 p3
//: clause 7.8.5.2 p4
//: clause 7.8.5.2 p5
//: clause 7.8.5.2 p6
//: clause 7.8.5.2 p8
#include <upc_io.h>
#include "../../files.h"

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
#define MOST 40000

typedef shared[] int *contiguous;
shared int cyclic[MOST * THREADS];
shared[3] int three[3 * 4000 * THREADS];
shared[MOST] int large[MOST * THREADS];

static int value(long i) { return (int)(i * 2654435761u >> 7); }
static int bytes(long i) { return value(i / 4) >> i % 4 * 8; }

// n elements from element `first' of an array of one block size, to a file and back.
#define ROUND(array, block, type, first, n)                                                              \
    do {                                                                                                 \
        long n_ = (n), first_ = (first);                                                                 \
        shared void *buffer = (shared void *)&array[first_];                                             \
        upc_forall(long i = 0; i < n_; i++; i) array[first_ + i] = value(i);                             \
        upc_file_t *fd = upc_all_fopen(path("f"), UPC_RDWR | UPC_CREATE | UPC_TRUNC | (type), 0, NULL);  \
        CHECK(fd != NULL);                                                                               \
        long offset = (type) == UPC_COMMON_FP ? 0 : n_ * (long)sizeof(int) * MYTHREAD;                   \
        CHECK_EQ(upc_all_fseek(fd, offset, UPC_SEEK_SET), offset);                                       \
        CHECK_EQ(upc_all_fwrite_shared(fd, buffer, block, sizeof(int), n_, ALL), n_ * sizeof(int));      \
        CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), offset + n_ * sizeof(int));                         \
        upc_forall(long i = 0; i < n_; i++; i) array[first_ + i] = -1;                                   \
        upc_barrier;                                                                                     \
        CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), 0);                                                 \
        CHECK_EQ(upc_all_fread_shared(fd, buffer, block, sizeof(int), n_, ALL), n_ * sizeof(int));       \
        for (long i = MYTHREAD % 3; i < n_; i += 3)                                                      \
            CHECK_EQ(array[first_ + i], value(i));                                                       \
        CHECK_EQ(upc_all_fread_shared(fd, NULL, block, 0, n_, ALL), 0);                                  \
        CHECK_EQ(upc_all_fclose(fd), 0);                                                                 \
        if (MYTHREAD == 0 && (type) == UPC_COMMON_FP) {                                                  \
            CHECK_EQ(posix_size("f"), n_ * sizeof(int));                                                 \
            CHECK(posix_holds("f", bytes));                                                              \
        }                                                                                                \
        upc_barrier;                                                                                     \
    } while (0)

static void ends(void) {
    // Reading past the end with the common pointer: the count is that of all threads, and the same for all.
    upc_file_t *fd = upc_all_fopen(path("f"), UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    long half = MOST * THREADS / 2;
    upc_forall(int i = 0; i < MOST * THREADS; i++; &cyclic[i]) cyclic[i] = i;
    CHECK_EQ(upc_all_fwrite_shared(fd, cyclic, 1, sizeof(int), half, ALL), half * sizeof(int));
    CHECK_EQ(upc_all_fseek(fd, -40, UPC_SEEK_END), half * sizeof(int) - 40);
    CHECK_EQ(upc_all_fread_shared(fd, cyclic, 1, sizeof(int), MOST * THREADS, ALL), 40);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), half * sizeof(int));
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_shared(fd, cyclic, 1, sizeof(int), MOST * THREADS, ALL), half * sizeof(int));
    CHECK_EQ(cyclic[MYTHREAD], MYTHREAD);
    CHECK_EQ(cyclic[half], half);
    // Private buffers are not allowed with the common pointer.
    int one = 1;
    CHECK_EQ(upc_all_fread_local(fd, &one, 4, 1, ALL), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fwrite_local(fd, &one, 4, 1, ALL), -1);
    CHECK_EQ(upc_all_fread_shared(fd, NULL, 1, 4, 1, ALL), -1);
    CHECK_EQ(upc_all_fclose(fd), 0);
}

int main(void) {
    enter();
    static const long lengths[] = {1, 2, 7, 100, 4099, 12000};
    for (int i = 0; i < 6; i++) {
        long n = lengths[i], at = i % THREADS;
        ROUND(cyclic, 1, UPC_COMMON_FP, at, n);
        ROUND(cyclic, 1, UPC_INDIVIDUAL_FP, at, n);
        if (n + 3 * at <= 3 * 4000 * THREADS) {
            ROUND(three, 3, UPC_COMMON_FP, 3 * at, n);
            ROUND(three, 3, UPC_INDIVIDUAL_FP, 3 * at, n);
        }
        contiguous part = (contiguous)&large[at * MOST];
        ROUND(part, 0, UPC_COMMON_FP, 5, n);
        ROUND(part, 0, UPC_INDIVIDUAL_FP, 5, n);
    }
    ROUND(large, MOST, UPC_COMMON_FP, 0, (long)MOST * THREADS);
    ROUND(cyclic, 1, UPC_COMMON_FP, 0, (long)MOST * THREADS);
    ends();
    leave();
    return 0;
}
