// Opening and closing: each flag, errors that are the same on all threads, hints, deletion at the close.
//: clause 7.8 p1
//: clause 7.8 p2
//: clause 7.8 p3
//: clause 7.8.1.4 p1
//: clause 7.8.2 p1
//: clause 7.8.2 p3
//: clause 7.8.2 p4
//: clause 7.8.2 p5
//: clause 7.8.3.1 p1
//: clause 7.8.3.1 p2
//: clause 7.8.3.1 p3
//: clause 7.8.3.1 p4
//: clause 7.8.3.1 p7
//: clause 7.8.3.1 p8
//: clause 7.8.3.1 p11
//: clause 7.8.3.1 p12
//: clause 7.8.3.2 p1
//: clause 7.8.3.2 p2
//: clause 7.8.3.2 p3
//: clause 7.8.3.2 p4
//: clause 7.8.3.2 p5
#include <upc_io.h>
#include "../../files.h"

#if __UPC_IO__ != 1
#error "the feature macro"
#endif

upc_file_t *shared handles[THREADS];
shared int errors[THREADS];

// All threads fail, with the same errno.
static void fails(const char *name, int flags, int wanted) {
    errno = 0;
    upc_file_t *fd = upc_all_fopen(name, flags, 0, NULL);
    CHECK(fd == NULL);
    CHECK_EQ(errno, wanted);
}

static upc_file_t *opens(const char *name, int flags) {
    upc_file_t *fd = upc_all_fopen(name, flags, 0, NULL);
    CHECK(fd != NULL);
    handles[MYTHREAD] = fd;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK(handles[t] == fd);
    return fd;
}

static void flags(void) {
    static const int all[] = {UPC_RDONLY,    UPC_WRONLY,          UPC_RDWR,   UPC_INDIVIDUAL_FP,
                              UPC_COMMON_FP, UPC_APPEND,          UPC_CREATE, UPC_STRONG_CA,
                              UPC_TRUNC,     UPC_DELETE_ON_CLOSE, UPC_EXCL};
    int together = 0;
    for (int i = 0; i < 11; i++) {
        CHECK(all[i] != 0 && !(together & all[i]));
        together |= all[i];
    }
    CHECK((upc_off_t)-1 < 0 && sizeof(upc_off_t) >= 8);
    fails(path("a"), UPC_RDWR | UPC_CREATE, EINVAL);                                     // no file pointer
    fails(path("a"), UPC_COMMON_FP | UPC_CREATE, EINVAL);                                // no mode
    fails(path("a"), UPC_RDWR | UPC_RDONLY | UPC_COMMON_FP | UPC_CREATE, EINVAL);        // two
    fails(path("a"), UPC_RDWR | UPC_COMMON_FP | UPC_INDIVIDUAL_FP | UPC_CREATE, EINVAL); // two
    fails(path("a"), UPC_RDWR | UPC_COMMON_FP | UPC_EXCL, EINVAL);
    fails(path("a"), UPC_RDONLY | UPC_COMMON_FP | UPC_TRUNC | UPC_CREATE, EINVAL);
    CHECK_EQ(posix_size("a"), -1);
}

static void files(void) {
    char byte = 'x';
    fails(path("a"), UPC_RDWR | UPC_COMMON_FP, ENOENT);
    fails(path("none/a"), UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, ENOENT);
    fails(directory, UPC_RDWR | UPC_COMMON_FP, EISDIR);
    fails(MYTHREAD == THREADS - 1 ? path("none/b") : path("b"), UPC_RDWR | UPC_COMMON_FP | UPC_CREATE,
          ENOENT);
    upc_file_t *fd = opens(path("a"), UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_EXCL);
    CHECK_EQ(upc_all_fseek(fd, MYTHREAD, UPC_SEEK_SET), MYTHREAD);
    CHECK_EQ(upc_all_fwrite_local(fd, &byte, 1, 1, 0), 1);
    CHECK_EQ(upc_all_fclose(fd), 0);
    CHECK_EQ(posix_size("a"), THREADS);
    errno = 0;
    CHECK_EQ(upc_all_fclose(fd), -1); // closed already
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(upc_all_fclose(NULL), -1);
    CHECK_EQ(upc_all_fread_local(fd, &byte, 1, 1, 0), -1);
    CHECK_EQ(errno, EBADF);
    fails(path("a"), UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_EXCL, EEXIST);
    fd = opens(path("a"), UPC_RDWR | UPC_COMMON_FP | UPC_APPEND);
    CHECK_EQ(upc_all_fseek(fd, 0, UPC_SEEK_CUR), THREADS);
    CHECK_EQ(upc_all_fclose(fd), 0);
    fd = opens(path("a"), UPC_WRONLY | UPC_INDIVIDUAL_FP | UPC_TRUNC);
    CHECK_EQ(upc_all_fget_size(fd), 0);
    CHECK_EQ(upc_all_fclose(fd), 0);
    upc_file_t *two = opens(path("b"), UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_DELETE_ON_CLOSE);
    fd = opens(path("c"), UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE);
    CHECK(fd != two);
    CHECK_EQ(posix_size("b"), 0);
    upc_barrier;
    CHECK_EQ(upc_all_fclose(two), 0);
    CHECK_EQ(posix_size("b"), -1);
    CHECK_EQ(upc_all_fclose(fd), 0);
    CHECK_EQ(posix_size("c"), 0);
}

static void hints(void) {
    struct upc_hint hint[3] = {
        {"file_perm", "640"}, {"no_such_hint", "1"}, {"access_style", "read_once,sequential"}};
    mode_t before = umask(0);
    upc_file_t *fd = upc_all_fopen(path("d"), UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, 3, hint);
    umask(before);
    CHECK(fd != NULL);
    hint[0].key = hint[2].value = NULL; // the array is the user's again
    struct stat about;
    CHECK(stat(path("d"), &about) == 0);
    CHECK_EQ(about.st_mode & 0777, 0640);
    CHECK_EQ(upc_all_fclose(fd), 0);
    CHECK(upc_all_fopen(path("d"), UPC_RDWR | UPC_COMMON_FP, 1, NULL) == NULL);
}

int main(void) {
    enter();
    flags();
    files();
    hints();
    leave();
    return 0;
}
