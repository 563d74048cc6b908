// Asynchronous transfers of all kinds: begun by all, completed by waiting or by testing; one at a time; lists
// may be changed once the transfer has begun; file pointers move when it is complete.
//: clause 7.8.1.2 p1
//: clause 7.8.1.2 p2
//: clause 7.8.3 p4
//: clause 7.8.3.8 p4
//: clause 7.8.4 p1
//: clause 7.8.5 p1
//: clause 7.8.6 p11
//: clause 7.8.7 p2
//: clause 7.8.7 p3
//: clause 7.8.7 p4
//: clause 7.8.7 p5
//: clause 7.8.7.1 p1
//: clause 7.8.7.1 p2
//: clause 7.8.7.1 p3
//: clause 7.8.7.1 p4
//: clause 7.8.7.2 p1
//: clause 7.8.7.2 p2
//: clause 7.8.7.2 p3
//: clause 7.8.7.2 p4
//: clause 7.8.7.3 p1
//: clause 7.8.7.3 p2
//: clause 7.8.7.3 p3
//: clause 7.8.7.3 p4
//: clause 7.8.7.4 p1
//: clause 7.8.7.4 p2
//: clause 7.8.7.4 p3
//: clause 7.8.7.4 p4
//: clause 7.8.7.5 p1
//: clause 7.8.7.5 p2
//: clause 7.8.7.5 p3
//: clause 7.8.7.5 p4
//: clause 7.8.7.6 p1
//: clause 7.8.7.6 p2
//: clause 7.8.7.6 p3
//: clause 7.8.7.6 p4
//: clause 7.8.7.7 p1
//: clause 7.8.7.7 p2
//: clause 7.8.7.7 p3
//: clause 7.8.7.7 p4
//: clause 7.8.7.8 p1
//: clause 7.8.7.8 p2
//: clause 7.8.7.8 p3
//: clause 7.8.7.8 p4
//: clause 7.8.7.9 p1
//: clause 7.8.7.9 p2
//: clause 7.8.7.9 p3
//: clause 7.8.7.9 p4
//: clause 7.8.7.10 p1
//: clause 7.8.7.10 p2
//: clause 7.8.7.10 p3
//: clause 7.8.7.10 p4
//: clause 7.8.7.10 p5
#include <upc_io.h>
#include "../../files.h"

#define N 3000
#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

shared int cyclic[N * THREADS];
shared int agreed[THREADS];

// Returns the result, by waiting or by testing; the flag is the same on all threads at every test.
static upc_off_t completed(upc_file_t *fd, int testing) {
    CHECK_EQ(upc_all_fcntl(fd, UPC_ASYNC_OUTSTANDING, NULL), 1);
    // Nothing else may be done meanwhile.
    CHECK_EQ(upc_all_fsync(fd), -1);
    CHECK_EQ(errno, EBUSY);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), -1);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FL, NULL), -1);
    CHECK_EQ(upc_all_fread_list_local(fd, 0, NULL, 0, NULL, ALL), -1);
    CHECK_EQ(upc_all_fclose(fd), -1);
    CHECK_EQ(errno, EBUSY);
    upc_off_t result = -2;
    if (testing) {
        int flag = 0;
        while (!flag) {
            result = upc_all_ftest_async(fd, &flag);
            agreed[MYTHREAD] = flag;
            upc_barrier;
            for (int t = 0; t < THREADS; t++)
                CHECK_EQ(agreed[t], flag);
            upc_barrier;
        }
    } else {
        result = upc_all_fwait_async(fd);
    }
    CHECK_EQ(upc_all_fcntl(fd, UPC_ASYNC_OUTSTANDING, NULL), 0);
    return result;
}

static void local_buffers(upc_file_t *fd, int testing) {
    static int row[N], got[N];
    upc_off_t mine = (upc_off_t)MYTHREAD * sizeof row;
    for (int i = 0; i < N; i++)
        row[i] = MYTHREAD * N + i + testing;
    CHECK_EQ(upc_all_fseek(fd, mine, UPC_SEEK_SET), mine);
    upc_all_fwrite_local_async(fd, row, sizeof(int), N, ALL);
    CHECK_EQ(completed(fd, testing), sizeof row);
    CHECK_EQ(upc_all_fseek(fd, -(upc_off_t)sizeof row, UPC_SEEK_CUR), mine);
    upc_all_fread_local_async(fd, got, sizeof(int), N, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    CHECK_EQ(completed(fd, testing), sizeof row);
    CHECK(memcmp(row, got, sizeof row) == 0);
    // At the end: fewer bytes.
    CHECK_EQ(upc_all_fsync(fd), 0);
    upc_all_fseek(fd, -5, UPC_SEEK_END);
    upc_all_fread_local_async(fd, got, 1, 100, 0);
    CHECK_EQ(completed(fd, testing), 5);
}

static void shared_buffers(upc_file_t *fd, int testing) {
    upc_forall(int i = 0; i < N * THREADS; i++; &cyclic[i]) cyclic[i] = i - testing;
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), 0);
    upc_all_fwrite_shared_async(fd, cyclic, 1, sizeof(int), N * THREADS, ALL);
    CHECK_EQ(completed(fd, testing), N * THREADS * sizeof(int));
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), N * THREADS * sizeof(int));
    upc_forall(int i = 0; i < N * THREADS; i++; &cyclic[i]) cyclic[i] = -1;
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), 0);
    upc_all_fread_shared_async(fd, cyclic, 1, sizeof(int), N * THREADS, ALL);
    CHECK_EQ(completed(fd, testing), N * THREADS * sizeof(int));
    for (int i = MYTHREAD; i < N * THREADS; i += 7)
        CHECK_EQ(cyclic[i], i - testing);
}

static void lists(upc_file_t *fd, int testing) {
    char data[20], got[20];
    shared[] char *theirs = (shared[] char *)upc_alloc(20);
    upc_off_t base = (upc_off_t)MYTHREAD * 50;
    for (int i = 0; i < 20; i++)
        data[i] = (char)(MYTHREAD * 20 + i + testing);
    struct upc_filevec file[2] = {{base, 5}, {base + 20, 15}};
    struct upc_local_memvec memory[1] = {{data, 20}}, back[1] = {{got, 20}};
    struct upc_shared_memvec shared_memory[1] = {{theirs, 0, 20}};
    upc_all_fwrite_list_local_async(fd, 1, memory, 2, file, ALL);
    memory[0].baseaddr = NULL; // the lists are the user's again
    file[1].offset = -1;
    CHECK_EQ(completed(fd, testing), 20);
    file[1].offset = base + 20;
    upc_all_fread_list_shared_async(fd, 1, shared_memory, 2, file, ALL);
    shared_memory[0].len = 0;
    CHECK_EQ(completed(fd, testing), 20);
    shared_memory[0].len = 20;
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(theirs[i], data[i]);
        theirs[i] = (char)(data[i] * 3);
    }
    upc_all_fwrite_list_shared_async(fd, 1, shared_memory, 2, file, ALL);
    CHECK_EQ(completed(fd, testing), 20);
    upc_all_fread_list_local_async(fd, 1, back, 2, file, ALL);
    CHECK_EQ(completed(fd, testing), 20);
    for (int i = 0; i < 20; i++)
        CHECK_EQ(got[i], (char)(data[i] * 3));
    upc_free(theirs);
}

static void errors(upc_file_t *fd) {
    int flag = 7;
    CHECK_EQ(upc_all_fwait_async(fd), -1); // nothing is under way
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_ftest_async(fd, &flag), -1);
    CHECK_EQ(flag, 1);
    struct upc_filevec bad = {-1, 5};
    char data[5];
    struct upc_local_memvec memory = {data, 5};
    upc_all_fread_list_local_async(fd, 1, &memory, 1, &bad, ALL);
    CHECK_EQ(completed(fd, 0), -1);
    upc_all_fread_list_local_async(fd, 1, &memory, 1, &bad, ALL);
    CHECK_EQ(upc_all_ftest_async(fd, &flag), -1);
    CHECK_EQ(flag, 1);
    CHECK_EQ(upc_all_fcntl(fd, UPC_ASYNC_OUTSTANDING, NULL), 0);
}

int main(void) {
    enter();
    for (int way = 0; way < 4; way++) {
        int flags = UPC_RDWR | UPC_CREATE | (way & 2 ? UPC_STRONG_CA : 0);
        upc_file_t *fd = upc_all_fopen(path("f"), flags | UPC_INDIVIDUAL_FP, 0, NULL);
        CHECK(fd != NULL);
        local_buffers(fd, way & 1);
        upc_barrier;
        lists(fd, way & 1);
        errors(fd);
        CHECK_EQ(upc_all_fclose(fd), 0);
        fd = upc_all_fopen(path("g"), flags | UPC_COMMON_FP, 0, NULL);
        shared_buffers(fd, way & 1);
        lists(fd, way & 1);
        errors(fd);
        CHECK_EQ(upc_all_fclose(fd), 0);
    }
    leave();
    return 0;
}
