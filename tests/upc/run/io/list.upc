// Lists: scattered memory against scattered pieces of the file, private and shared, with either kind of file
// pointer, which does not move; and wrong lists.
//: clause 7.8.1.1 p2
//: clause 7.8.6 p1
//: clause 7.8.6 p2
//: clause 7.8.6 p3
//: clause 7.8.6 p4
//: clause 7.8.6 p5
//: clause 7.8.6 p6
//: clause 7.8.6 p8
//: clause 7.8.6 p9
//: clause 7.8.6 p10
//: clause 7.8.6 p12
//: clause 7.8.6 p13
//: clause 7.8.6.1 p1
//: clause 7.8.6.1 p2
//: clause 7.8.6.1 p3
//: clause 7.8.6.1 p4
//: clause 7.8.6.1 p5
//: clause 7.8.6.2 p1
//: clause 7.8.6.2 p2
//: clause 7.8.6.2 p3
//: clause 7.8.6.2 p4
//: clause 7.8.6.2 p6
//: clause 7.8.6.3 p1
//: clause 7.8.6.3 p2
//: clause 7.8.6.3 p3
//: clause 7.8.6.3 p4
//: clause 7.8.6.3 p6
//: clause 7.8.6.4 p1
//: clause 7.8.6.4 p2
//: clause 7.8.6.4 p3
//: clause 7.8.6.4 p4
//: clause 7.8.6.4 p6
#include <upc_io.h>
#include "../../files.h"

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
#define STRIPS 20
#define WIDTH 30 /* of a strip of one thread */

shared[5] char blocked[5 * 200 * THREADS];

// Byte k of thread t's data.
static char datum(int t, int k) { return (char)(t * 37 + k * 5 + 1); }

// Thread t has bytes [s * THREADS * WIDTH + t * WIDTH, ... + WIDTH) of the file, for all strips s.
static void strips(struct upc_filevec *file) {
    for (int s = 0; s < STRIPS; s++)
        file[s] = (struct upc_filevec){(upc_off_t)(s * THREADS + MYTHREAD) * WIDTH, WIDTH};
}

static void check_file(upc_file_t *fd) {
    CHECK_EQ(upc_all_fsync(fd), 0);
    char strip[WIDTH];
    for (int s = 0; s < STRIPS; s++)
        for (int t = 0; t < THREADS; t++) {
            struct upc_filevec there = {(upc_off_t)(s * THREADS + t) * WIDTH, WIDTH};
            struct upc_local_memvec here = {strip, WIDTH};
            CHECK_EQ(upc_all_fread_list_local(fd, 1, &here, 1, &there, 0), WIDTH);
            for (int k = 0; k < WIDTH; k++)
                CHECK_EQ(strip[k], datum(t, s * WIDTH + k));
        }
}

static void private_lists(upc_file_t *fd) {
    char data[STRIPS * WIDTH], got[STRIPS * WIDTH];
    struct upc_filevec file[STRIPS];
    struct upc_local_memvec memory[5] = {
        {data + 400, 200}, {NULL, 0}, {data + 100, 300}, {data, 99}, {data + 99, 1}};
    // The order of memory in the list is that of the bytes in the file.
    int k = 0;
    for (int m = 0; m < 5; m++)
        for (size_t i = 0; i < memory[m].len; i++)
            ((char *)memory[m].baseaddr)[i] = datum(MYTHREAD, k++);
    strips(file);
    CHECK_EQ(upc_all_fwrite_list_local(fd, 5, memory, STRIPS, file, ALL), STRIPS * WIDTH);
    check_file(fd);
    struct upc_local_memvec back[2] = {{got + 1, STRIPS * WIDTH - 1}, {got, 1}};
    CHECK_EQ(upc_all_fread_list_local(fd, 2, back, STRIPS, file, ALL), STRIPS * WIDTH);
    for (int i = 0; i < STRIPS * WIDTH; i++)
        CHECK_EQ(i == STRIPS * WIDTH - 1 ? got[0] : got[i + 1], datum(MYTHREAD, i));
    CHECK_EQ(upc_all_fread_list_local(fd, 0, NULL, 0, NULL, ALL), 0);
}

static void shared_lists(upc_file_t *fd) {
    // Thread t's data lie in two pieces of the array, whose blocks go over all threads; a contiguous part of
    // this thread's memory is a third.
    struct upc_filevec file[STRIPS];
    size_t blocks = 200 * THREADS / (2 * THREADS), first = MYTHREAD * 2 * blocks;
    shared[] char *mine = (shared[] char *)upc_alloc(400);
    struct upc_shared_memvec memory[3] = {{&blocked[5 * first], 5, 150},
                                          {mine, 0, 250},
                                          {&blocked[5 * (first + blocks)], 5, 200}};
    for (int i = 0; i < 150; i++)
        blocked[5 * first + i] = datum(MYTHREAD, i);
    for (int i = 0; i < 250; i++)
        mine[i] = datum(MYTHREAD, 150 + i);
    for (int i = 0; i < 200; i++)
        blocked[5 * (first + blocks) + i] = datum(MYTHREAD, 400 + i);
    strips(file);
    CHECK_EQ(upc_all_fwrite_list_shared(fd, 3, memory, STRIPS, file, ALL), STRIPS * WIDTH);
    check_file(fd);
    upc_memset(mine, 0, 400);
    for (int i = 0; i < 200; i++)
        blocked[5 * first + i] = blocked[5 * (first + blocks) + i] = 0;
    upc_barrier;
    CHECK_EQ(upc_all_fread_list_shared(fd, 3, memory, STRIPS, file, ALL), STRIPS * WIDTH);
    for (int i = 0; i < 150; i++)
        CHECK_EQ(blocked[5 * first + i], datum(MYTHREAD, i));
    CHECK_EQ(blocked[5 * first + 150], 0);
    for (int i = 0; i < 250; i++)
        CHECK_EQ(mine[i], datum(MYTHREAD, 150 + i));
    for (int i = 0; i < 200; i++)
        CHECK_EQ(blocked[5 * (first + blocks) + i], datum(MYTHREAD, 400 + i));
    upc_free(mine);
}

static void wrong(upc_file_t *fd) {
    char data[64];
    struct upc_local_memvec memory = {data, 20};
    struct upc_filevec decreasing[2] = {{100, 10}, {50, 10}}, overlapping[2] = {{100, 10}, {105, 10}},
                       negative[1] = {{-1, 20}}, longer[1] = {{0, 21}}, past[2] = {{0, 10}, {1000000000, 10}};
    CHECK_EQ(upc_all_fread_list_local(fd, 1, &memory, 2, decreasing, ALL), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fwrite_list_local(fd, 1, &memory, 2, overlapping, ALL), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fread_list_local(fd, 1, &memory, 2, overlapping, ALL), 20); // reading twice is allowed
    CHECK_EQ(upc_all_fread_list_local(fd, 1, &memory, 1, negative, ALL), -1);
    CHECK_EQ(upc_all_fread_list_local(fd, 1, &memory, 1, longer, ALL), -1);
    CHECK_EQ(upc_all_fread_list_local(fd, 1, &memory, 2, past, ALL), 10); // the available bytes
    // One thread's mistake affects that thread alone.
    CHECK_EQ(upc_all_fread_list_local(fd, 1, &memory, MYTHREAD ? 2 : 1, MYTHREAD ? past : longer, ALL),
             MYTHREAD ? 10 : -1);
}

int main(void) {
    enter();
    for (int common = 0; common < 2; common++) {
        upc_file_t *fd = upc_all_fopen(
            path("f"), UPC_RDWR | UPC_CREATE | UPC_TRUNC | (common ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP), 0,
            NULL);
        CHECK_EQ(upc_all_fseek(fd, 17, UPC_SEEK_SET), 17);
        private_lists(fd);
        upc_barrier;
        shared_lists(fd);
        wrong(fd);
        CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 17);
        CHECK_EQ(upc_all_fget_size(fd), STRIPS * THREADS * WIDTH);
        CHECK_EQ(upc_all_fclose(fd), 0);
    }
    leave();
    return 0;
}
