// Asynchronous transfers go on while the program does: a test finds them unfinished. Memory of neighbours, of
// other hosts, and more bytes than a buffer holds.
//: clause 7.8.7 p2
//: clause 7.8.7.10 p2
//: threads 2 4
#include <upc_io.h>
#include "../../files.h"

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
#define EACH (2 << 20)
#define WHOLE ((size_t)EACH * THREADS)
#define LONG (40UL << 20)

shared[4096] unsigned char buffer[EACH * THREADS], back[EACH * THREADS];

static unsigned char datum(size_t i, int round) { return (unsigned char)(i / 4096 * 7 + i + (size_t)round); }

static void fill(int round) {
    size_t i;
    upc_forall(i = 0; i < WHOLE; i += 4096; &buffer[i]) for (size_t k = 0; k < 4096; k++)
        buffer[i + k] = datum(i + k, round);
}

static void check(int round) {
    size_t i;
    upc_forall(i = 0; i < WHOLE; i += 4096; &back[i]) for (size_t k = 0; k < 4096; k += 61)
        CHECK_EQ(back[i + k], datum(i + k, round));
}

/* Tests until the transfer is complete, and returns the number of tests before. */
static int tests(upc_file_t *fd, upc_off_t wanted) {
    for (int count = 0, flag;; count++) {
        upc_off_t result = upc_all_ftest_async(fd, &flag);
        CHECK_EQ(result, flag ? wanted : 0);
        if (flag)
            return count;
    }
}

// A quick system may be done before the first test, but not each time.
static void common(upc_file_t *fd) {
    int unfinished = 0, round = 0;
    for (; round < 3 || (unfinished == 0 && round < 200); round++) {
        fill(round);
        upc_all_fseek(fd, 0, UPC_SEEK_SET);
        upc_all_fwrite_shared_async(fd, buffer, 4096, 1, WHOLE, ALL);
        unfinished += tests(fd, WHOLE);
        upc_all_fsync(fd);
        upc_all_fseek(fd, 0, UPC_SEEK_SET);
        upc_all_fread_shared_async(fd, back, 4096, 1, WHOLE, ALL);
        unfinished += tests(fd, WHOLE);
        check(round);
    }
    CHECK(unfinished > 0);
}

// Thread 0 alone, the last thread's memory; at the end of the file there is less than was asked for.
static void one(upc_file_t *fd, int testing) {
    static shared[] unsigned char *shared given;
    shared[] unsigned char *theirs;
    if (MYTHREAD == THREADS - 1) {
        given = theirs = (shared[] unsigned char *)upc_alloc(LONG);
        for (size_t i = 0; i < LONG; i += 512)
            theirs[i] = datum(i, 1);
    }
    upc_barrier;
    theirs = given;
    size_t n = MYTHREAD ? 0 : LONG;
    upc_all_fset_size(fd, 0);
    upc_all_fseek(fd, 0, UPC_SEEK_SET);
    upc_all_fwrite_shared_async(fd, theirs, 0, 1, n, ALL);
    if (testing)
        tests(fd, (upc_off_t)n);
    else
        CHECK_EQ(upc_all_fwait_async(fd), n);
    if (MYTHREAD == THREADS - 1)
        for (size_t i = 0; i < LONG; i += 512)
            theirs[i] = 0;
    upc_all_fsync(fd);
    upc_off_t at = MYTHREAD ? 0 : 512 * 100;
    upc_all_fseek(fd, at, UPC_SEEK_SET);
    upc_all_fread_shared_async(fd, theirs, 0, 1, n, ALL);
    if (testing)
        tests(fd, MYTHREAD ? 0 : (upc_off_t)LONG - at);
    else
        CHECK_EQ(upc_all_fwait_async(fd), MYTHREAD ? 0 : (upc_off_t)LONG - at);
    if (MYTHREAD == THREADS - 1)
        for (size_t i = 0; i < LONG; i += 512)
            CHECK_EQ(theirs[i], i < LONG - 512 * 100 ? datum(i + 512 * 100, 1) : 0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_free(theirs);
}

int main(void) {
    enter();
    int flags = UPC_RDWR | UPC_CREATE;
    upc_file_t *fd = upc_all_fopen(path("f"), flags | UPC_COMMON_FP, 0, NULL);
    common(fd);
    CHECK_EQ(upc_all_fclose(fd), 0);
    fd = upc_all_fopen(path("f"), flags | UPC_INDIVIDUAL_FP, 0, NULL);
    one(fd, 0);
    one(fd, 1);
    CHECK_EQ(upc_all_fclose(fd), 0);
    leave();
    return 0;
}
