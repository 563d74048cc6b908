// Strong consistency and atomicity: overlapping writes of whole lists happen one after the other, overlapping
// reads into shared memory likewise, and others see writes at once.
//: clause 7.8.1.3 p1
//: clause 7.8.1.3 p4
//: clause 7.8.1.3 p5
//: clause 7.8.1.3 p6
//: clause 7.8.3.1 p5
//: clause 7.8.3.1 p6
//: clause 7.8.4.2 p7
//: clause 7.8.5.1 p6
//: clause 7.8.5.2 p7
//: clause 7.8.6.2 p5
//: clause 7.8.6.3 p5
//: clause 7.8.6.4 p5
#include <upc_io.h>
#include "../../files.h"

#define PIECES 50
#define WIDTH 1000
#define ROUNDS 20

shared[] char common_buffer[PIECES * WIDTH];

// All bytes of the pieces are one thread's.
static void check_whole(const char *bytes, int stride) {
    for (int p = 0; p < PIECES; p++)
        for (int i = 0; i < WIDTH; i += 111)
            CHECK_EQ(bytes[p * stride + i], bytes[0]);
    CHECK(bytes[0] >= 1 && bytes[0] <= THREADS);
}

int main(void) {
    static char mine[PIECES * WIDTH], got[2 * PIECES * WIDTH];
    struct upc_filevec pieces[PIECES];
    struct upc_local_memvec memory = {mine, sizeof mine};
    struct upc_shared_memvec shared_memory = {common_buffer, 0, sizeof mine};
    enter();
    upc_file_t *fd = upc_all_fopen(path("f"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_STRONG_CA, 0,
                                   NULL);
    memset(mine, MYTHREAD + 1, sizeof mine);
    for (int p = 0; p < PIECES; p++)
        pieces[p] = (struct upc_filevec){2L * p * WIDTH, WIDTH};
    for (int round = 0; round < ROUNDS; round++) {
        // The flags are as good as ALLSYNC here, so that every thread may check right away.
        CHECK_EQ(upc_all_fwrite_list_local(fd, 1, &memory, PIECES, pieces, UPC_IN_NOSYNC | UPC_OUT_NOSYNC),
                 sizeof mine);
        upc_all_fseek(fd, 0, UPC_SEEK_SET);
        CHECK_EQ(upc_all_fread_local(fd, got, 1, sizeof got - WIDTH, 0), sizeof got - WIDTH);
        check_whole(got, 2 * WIDTH);
    }
    // Each thread reads a stretch of its own into the one buffer.
    upc_all_fset_size(fd, 0);
    upc_all_fseek(fd, (upc_off_t)MYTHREAD * sizeof mine, UPC_SEEK_SET);
    CHECK_EQ(upc_all_fwrite_local(fd, mine, 1, sizeof mine, 0), sizeof mine);
    struct upc_filevec stretch = {(upc_off_t)MYTHREAD * sizeof mine, sizeof mine};
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 2) {
            CHECK_EQ(upc_all_fread_list_shared(fd, 1, &shared_memory, 1, &stretch, 0), sizeof mine);
        } else {
            upc_all_fseek(fd, stretch.offset, UPC_SEEK_SET);
            CHECK_EQ(upc_all_fread_shared(fd, common_buffer, 0, 1, sizeof mine, 0), sizeof mine);
        }
        upc_memget(got, common_buffer, sizeof mine);
        check_whole(got, WIDTH);
        upc_barrier;
    }
    // And writes it from there: the buffer is the same for all, the places overlap.
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_EQ(upc_all_fwrite_list_shared(fd, 1, &shared_memory, PIECES, pieces, 0), sizeof mine);
        upc_all_fseek(fd, 0, UPC_SEEK_SET);
        CHECK_EQ(upc_all_fread_local(fd, got, 1, WIDTH, 0), WIDTH);
        CHECK_EQ(got[WIDTH - 1], common_buffer[0]);
    }
    CHECK_EQ(upc_all_fclose(fd), 0);
    leave();
    return 0;
}
