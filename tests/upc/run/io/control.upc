// upc_all_fcntl, sizes, preallocation and sync.
//: clause 7.8.3.1 p8
//: clause 7.8.3.3 p1
//: clause 7.8.3.3 p2
//: clause 7.8.3.3 p4
//: clause 7.8.3.5 p1
//: clause 7.8.3.5 p2
//: clause 7.8.3.5 p3
//: clause 7.8.3.5 p4
//: clause 7.8.3.5 p5
//: clause 7.8.3.5 p6
//: clause 7.8.3.5 p8
//: clause 7.8.3.5 p9
//: clause 7.8.3.6 p1
//: clause 7.8.3.6 p2
//: clause 7.8.3.7 p1
//: clause 7.8.3.7 p2
//: clause 7.8.3.7 p3
//: clause 7.8.3.7 p4
//: clause 7.8.3.7 p5
//: clause 7.8.3.7 p6
//: clause 7.8.3.8 p1
//: clause 7.8.3.8 p2
//: clause 7.8.3.8 p3
#include <upc_io.h>
#include "../../files.h"

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
shared int buffer[10 * THREADS];

static void modes(upc_file_t *fd) {
    int flags = UPC_RDWR | UPC_CREATE | UPC_COMMON_FP;
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FL, NULL), flags);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_STRONG_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_CA_SEMANTICS, NULL), UPC_STRONG_CA);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FL, NULL), flags | UPC_STRONG_CA);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_WEAK_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FP, NULL), UPC_COMMON_FP);
    upc_all_fseek(fd, 9, UPC_SEEK_SET);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_COMMON_FP, NULL), 0);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 0);
    upc_all_fseek(fd, 9, UPC_SEEK_SET);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);
    CHECK_EQ(upc_all_fseek(fd, MYTHREAD, UPC_SEEK_CUR), MYTHREAD);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_COMMON_FP, NULL), 0);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_ASYNC_OUTSTANDING, NULL), 0);
    errno = 0;
    CHECK_EQ(upc_all_fcntl(fd, 1234, NULL), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fcntl(NULL, UPC_GET_FL, NULL), -1);
    CHECK_EQ(errno, EBADF);
    const char *name = NULL;
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FN, &name), 0);
    CHECK(strcmp(name, path("f")) == 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_FN, NULL), -1);
}

static const char *value(const upc_hint_t *hints, int n, const char *key) {
    for (int i = 0; i < n; i++)
        if (strcmp(hints[i].key, key) == 0)
            return hints[i].value;
    return "";
}

static void hints(upc_file_t *fd) {
    const upc_hint_t *got = NULL;
    upc_hint_t one = {"cb_nodes", "2"}, again = {"cb_buffer_size", "8192"}, unknown = {"colour", "green"};
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_HINTS, &got), 1);
    CHECK(strcmp(value(got, 1, "cb_buffer_size"), "4096") == 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_HINT, &one), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_HINT, &again), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_HINT, &unknown), 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_GET_HINTS, &got), 2);
    CHECK(strcmp(value(got, 2, "cb_buffer_size"), "8192") == 0);
    CHECK(strcmp(value(got, 2, "cb_nodes"), "2") == 0);
    CHECK_EQ(upc_all_fcntl(fd, UPC_SET_HINT, NULL), -1);
}

static void sizes(upc_file_t *fd) {
    upc_forall(int i = 0; i < 10 * THREADS; i++; &buffer[i]) buffer[i] = i + 1;
    CHECK_EQ(upc_all_fget_size(fd), 0);
    CHECK_EQ(upc_all_fwrite_shared(fd, buffer, 1, sizeof(int), 10 * THREADS, ALL), 40 * THREADS);
    CHECK_EQ(upc_all_fset_size(fd, 100000), 0);
    CHECK_EQ(upc_all_fget_size(fd), 100000);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 40 * THREADS);
    CHECK_EQ(upc_all_fpreallocate(fd, 200000), 0);
    CHECK_EQ(upc_all_fget_size(fd), 200000);
    CHECK_EQ(upc_all_fpreallocate(fd, 1000), 0);
    CHECK_EQ(upc_all_fget_size(fd), 200000);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 40 * THREADS);
    struct stat about;
    CHECK(stat(path("f"), &about) == 0);
    CHECK((long)about.st_blocks * 512 >= 200000);
    upc_barrier;
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_shared(fd, buffer, 1, sizeof(int), 10 * THREADS, ALL), 40 * THREADS);
    CHECK_EQ(buffer[3], 4);
    CHECK_EQ(upc_all_fset_size(fd, 20), 0);
    CHECK_EQ(upc_all_fget_size(fd), 20);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), 40 * THREADS); // past the end now
    CHECK_EQ(upc_all_fread_shared(fd, buffer, 1, 1, 1, ALL), 0);
    errno = 0;
    CHECK_EQ(upc_all_fset_size(fd, -1), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fpreallocate(fd, -1), -1);
    CHECK_EQ(errno, EINVAL);
}

static void read_only(void) {
    upc_file_t *fd = upc_all_fopen(path("f"), UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
    CHECK_EQ(upc_all_fset_size(fd, 5), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(upc_all_fpreallocate(fd, 500), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(upc_all_fget_size(fd), 20);
    CHECK_EQ(upc_all_fsync(fd), 0);
    CHECK_EQ(upc_all_fclose(fd), 0);
    CHECK_EQ(upc_all_fsync(fd), -1);
    CHECK_EQ(upc_all_fget_size(fd), -1);
    CHECK_EQ(upc_all_fset_size(fd, 1), -1);
    CHECK_EQ(upc_all_fpreallocate(fd, 1), -1);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_SET), -1);
    CHECK_EQ(errno, EBADF);
}

int main(void) {
    enter();
    upc_hint_t small = {"cb_buffer_size", "4096"};
    upc_file_t *fd = upc_all_fopen(path("f"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 1, &small);
    modes(fd);
    hints(fd);
    sizes(fd);
    CHECK_EQ(upc_all_fclose(fd), 0);
    read_only();
    leave();
    return 0;
}
