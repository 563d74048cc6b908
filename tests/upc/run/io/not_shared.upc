// A file that one thread does not find, cannot open, or cannot write, as on hosts that do not share a file
// system: the last thread is in another directory. All get errors that concern all, and nobody hangs.
//: clause 7.8 p19
//: clause 7.8.3.1 p12
//: threads 2 3 4
#include <upc_io.h>
#include "../../files.h"

#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
#define EACH (128 << 10)
#define WHOLE ((size_t)EACH * THREADS)

shared[1000] char buffer[EACH * THREADS];
static int last;
static char odd[300];

static void cannot_open(int wanted) {
    errno = 0;
    CHECK(upc_all_fopen("f", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL) == NULL);
    CHECK_EQ(errno, wanted);
    errno = 0;
    CHECK(upc_all_fopen("f", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL) == NULL);
    CHECK_EQ(errno, wanted);
}

// Transfers by the common file pointer fail on all threads, for an error in any part.
static void all_fail(void) {
    upc_file_t *fd = upc_all_fopen("f", UPC_WRONLY | UPC_COMMON_FP, 0, NULL);
    CHECK(fd != NULL);
    for (int way = 0; way < 3; way++) {
        int flag = 0;
        upc_all_fseek(fd, 0, UPC_SEEK_SET);
        errno = 0;
        if (way == 0) {
            CHECK_EQ(upc_all_fwrite_shared(fd, buffer, 1000, 1, WHOLE, ALL), -1);
        } else {
            upc_all_fwrite_shared_async(fd, buffer, 1000, 1, WHOLE, ALL);
            if (way == 1)
                CHECK_EQ(upc_all_fwait_async(fd), -1);
            while (way == 2 && !flag) {
                upc_off_t result = upc_all_ftest_async(fd, &flag);
                CHECK_EQ(result, flag ? -1 : 0);
            }
        }
        CHECK_EQ(errno, ENOSPC);
    }
    CHECK_EQ(upc_all_fclose(fd), 0);
}

// Individual transfers fail on the thread that cannot write.
static void one_fails(void) {
    shared[] char *theirs = (shared[] char *)&buffer[(MYTHREAD + 1) % THREADS * 1000];
    struct upc_filevec file[2] = {{MYTHREAD * 100L, 10}, {1000 + MYTHREAD * 100L, 90}};
    struct upc_shared_memvec memory = {theirs, 0, 100};
    upc_file_t *fd = upc_all_fopen("f", UPC_WRONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(fd != NULL);
    CHECK_EQ(upc_all_fwrite_list_shared(fd, 1, &memory, 2, file, ALL), MYTHREAD == last ? -1 : 100);
    CHECK(MYTHREAD != last || errno == ENOSPC);
    upc_all_fwrite_list_shared_async(fd, 1, &memory, 2, file, ALL);
    CHECK_EQ(upc_all_fwait_async(fd), MYTHREAD == last ? -1 : 100);
    CHECK(MYTHREAD != last || errno == ENOSPC);
    CHECK_EQ(upc_all_fseek(fd, MYTHREAD * 500L, UPC_SEEK_SET), MYTHREAD * 500L);
    CHECK_EQ(upc_all_fwrite_shared(fd, theirs, 0, 1, 500, ALL), MYTHREAD == last ? -1 : 500);
    CHECK_EQ(upc_all_fclose(fd), 0);
}

int main(void) {
    enter();
    last = THREADS - 1;
    snprintf(odd, sizeof odd, "%s/odd", directory);
    if (MYTHREAD == last)
        CHECK(mkdir(odd, 0700) == 0 && chdir(odd) == 0);
    else
        CHECK(chdir(directory) == 0);
    if (MYTHREAD == 0)
        close(open("f", O_CREAT | O_WRONLY, 0600));
    upc_barrier;
    cannot_open(ENOENT);
    if (MYTHREAD == last)
        CHECK(mkdir("f", 0700) == 0);
    cannot_open(EISDIR);
    if (MYTHREAD == last)
        CHECK(rmdir("f") == 0 && symlink("/dev/full", "f") == 0);
    upc_barrier;
    all_fail();
    one_fails();
    CHECK(chdir("/") == 0);
    if (MYTHREAD == last)
        CHECK(unlink(strcat(odd, "/f")) == 0 && (odd[strlen(odd) - 2] = 0, rmdir(odd)) == 0);
    leave();
    return 0;
}
