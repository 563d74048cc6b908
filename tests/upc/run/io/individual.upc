// Individual file pointers and private buffers: each thread at its own place, by seeks from all origins, to
// the end of the file and past it.
//: clause 7.8 p5
//: clause 7.8 p6
//: clause 7.8 p7
//: clause 7.8 p10
//: clause 7.8 p13
//: clause 7.8 p14
//: clause 7.8.1.1 p1
//: clause 7.8.2 p2
//: clause 7.8.3 p1
//: clause 7.8.3.3 p2
//: clause 7.8.3.3 p3
//: clause 7.8.3.3 p4
//: clause 7.8.3.4 p1
//: clause 7.8.3.4 p2
//: clause 7.8.3.4 p3
//: clause 7.8.3.4 p4
//: clause 7.8.3.4 p5
//: clause 7.8.3.4 p6
//: clause 7.8.3.4 p7
//: clause 7.8.3.4 p8
//: clause 7.8.4.1 p1
//: clause 7.8.4.1 p2
//: clause 7.8.4.1 p3
//: clause 7.8.4.1 p4
//: clause 7.8.4.1 p5
//: clause 7.8.4.1 p6
//: clause 7.8.5.1 p1
//: clause 7.8.5.1 p2
//: clause 7.8.5.1 p3
//: clause 7.8.5.1 p4
//: clause 7.8.5.1 p5
//: clause 7.8.5.1 p7
#include <upc_io.h>
#include "../../files.h"

#define N 1000
#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
#define NONE (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)

static int numbered(long i) { return (int)(i / sizeof(int) >> i % sizeof(int) * 8); }

int main(void) {
    static int row[N], got[2 * N];
    enter();
    upc_off_t mine = (upc_off_t)MYTHREAD * N * sizeof(int), whole = (upc_off_t)THREADS * N * sizeof(int);
    upc_file_t *fd = upc_all_fopen(path("f"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(fd != NULL);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 0);
    for (int i = 0; i < N; i++)
        row[i] = MYTHREAD * N + i;
    // Write: in two pieces, one element at a time for the second's beginning.
    CHECK_EQ(upc_all_fseek(fd, mine, UPC_SEEK_SET), mine);
    CHECK_EQ(upc_all_fwrite_local(fd, row, sizeof(int), N / 2, NONE), N / 2 * sizeof(int));
    CHECK_EQ(upc_all_fwrite_local(fd, row + N / 2, 1, 4, NONE), 4);
    CHECK_EQ(upc_all_fwrite_local(fd, row + N / 2 + 1, sizeof(int), N / 2 - 1, 0), (N / 2 - 1) * sizeof(int));
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), mine + N * sizeof(int));
    // A thread sees its own writes at once.
    CHECK_EQ(upc_all_fseek(fd, -(upc_off_t)(N * sizeof(int)), UPC_SEEK_CUR), mine);
    CHECK_EQ(upc_all_fread_local(fd, got, sizeof(int), N, NONE), N * sizeof(int));
    CHECK(memcmp(got, row, sizeof row) == 0);
    CHECK_EQ(upc_all_fsync(fd), 0);
    CHECK_EQ(upc_all_fget_size(fd), whole);
    // Others' after a sync; some threads read, others do not.
    int next = (MYTHREAD + 1) % THREADS;
    CHECK_EQ(upc_all_fseek(fd, (upc_off_t)(next - THREADS) * N * sizeof(int), UPC_SEEK_END),
             (upc_off_t)next * N * sizeof(int));
    CHECK_EQ(upc_all_fread_local(fd, MYTHREAD % 2 ? NULL : got, sizeof(int), MYTHREAD % 2 ? 0 : N, ALL),
             MYTHREAD % 2 ? 0 : N * sizeof(int));
    if (MYTHREAD % 2 == 0)
        for (int i = 0; i < N; i++)
            CHECK_EQ(got[i], next * N + i);
    CHECK_EQ(upc_all_fread_local(fd, NULL, 0, N, UPC_IN_MYSYNC | UPC_OUT_MYSYNC), 0);
    // Past the end: the available bytes; the pointer stops at the end, and the file has not grown.
    CHECK_EQ(upc_all_fseek(fd, -10, UPC_SEEK_END), whole - 10);
    CHECK_EQ(upc_all_fread_local(fd, got, 4, 100, ALL), 10);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), whole);
    CHECK_EQ(upc_all_fread_local(fd, got, 1, 100, ALL), 0);
    CHECK_EQ(upc_all_fseek(fd, 5000, UPC_SEEK_END), whole + 5000);
    CHECK_EQ(upc_all_fread_local(fd, got, 1, 100, ALL), 0);
    CHECK_EQ(upc_all_fget_size(fd), whole);
    // Not before the beginning; the pointer is then undefined, until the next seek.
    errno = 0;
    CHECK_EQ(upc_all_fseek(fd, -1, UPC_SEEK_SET), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fseek(fd, 0, 77), -1);
    CHECK_EQ(upc_all_fclose(fd), 0);
    if (MYTHREAD == 0) {
        CHECK_EQ(posix_size("f"), whole);
        CHECK(posix_holds("f", numbered));
    }
    // Single bytes of neighbours do not disturb each other; writing past the end makes the file longer at
    // once.
    fd = upc_all_fopen(path("f"), UPC_WRONLY | UPC_INDIVIDUAL_FP | UPC_APPEND, 0, NULL);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), whole);
    CHECK_EQ(upc_all_fread_local(fd, got, 1, 1, ALL), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(upc_all_fseek(fd, whole + MYTHREAD, UPC_SEEK_SET), whole + MYTHREAD);
    char byte = (char)MYTHREAD;
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(upc_all_fwrite_local(fd, &byte, 1, 1, NONE), 1);
        CHECK_EQ(upc_all_fseek(fd, THREADS - 1, UPC_SEEK_CUR),
                 whole + MYTHREAD + (upc_off_t)THREADS * (i + 1));
    }
    CHECK_EQ(upc_all_fget_size(fd), whole + 20 * THREADS);
    CHECK_EQ(upc_all_fclose(fd), 0);
    fd = upc_all_fopen(path("f"), UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK_EQ(upc_all_fwrite_local(fd, row, 1, 1, ALL), -1);
    CHECK_EQ(errno, EBADF);
    upc_all_fseek(fd, whole, UPC_SEEK_SET);
    CHECK_EQ(upc_all_fread_local(fd, got, 1, 20 * THREADS, ALL), 20 * THREADS);
    for (int i = 0; i < 20 * THREADS; i++)
        CHECK_EQ(((char *)got)[i], i % THREADS);
    CHECK_EQ(upc_all_fclose(fd), 0);
    leave();
    return 0;
}
